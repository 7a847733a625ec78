-- Counts one request of one credential, by the generic cell rate algorithm.
-- KEYS[1]: the time at which the whole burst is available again, in microseconds since 1970.
-- ARGV[1]: the cost of one request, in microseconds. ARGV[2]: the burst.
-- Returns the number of further requests that would be admitted at once, and the wait in microseconds. The wait is 0 if
-- the request is admitted.
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local interval, burst = tonumber(ARGV[1]), tonumber(ARGV[2])
local stored = tonumber(redis.call('GET', KEYS[1]) or '0')
-- A time further ahead than a whole burst means that the clock was set back. The credential then starts with an empty
-- burst.
local latest = now + burst * interval
if stored > latest then
    stored = latest
    redis.call('SET', KEYS[1], string.format('%.3f', stored), 'PX', math.ceil((stored - now) / 1000) + 1)
end
local restored = math.max(stored, now) + interval
local admissible_at = restored - burst * interval
if admissible_at > now then
    return { 0, math.ceil(admissible_at - now) }
end
redis.call('SET', KEYS[1], string.format('%.3f', restored), 'PX', math.ceil((restored - now) / 1000) + 1)
return { math.floor((now - admissible_at) / interval + 0.001), 0 }
