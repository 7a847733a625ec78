-- One request of one credential, by the generic cell rate algorithm.
-- KEYS[1] holds when the credential has its whole burst again, in microseconds since 1970.
-- ARGV[1] is the time that one request costs, in microseconds; ARGV[2] is the burst.
-- Answers how many more would be admitted at once, and how long to wait in microseconds: 0 where it is admitted.
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local interval, burst = tonumber(ARGV[1]), tonumber(ARGV[2])
local kept = tonumber(redis.call('GET', KEYS[1]) or '0')
-- Further ahead than a whole burst only a clock that was set back leaves it: the credential then begins with an empty burst.
local furthest = now + burst * interval
if kept > furthest then
    kept = furthest
    redis.call('SET', KEYS[1], string.format('%.3f', kept), 'PX', math.ceil((kept - now) / 1000) + 1)
end
local restored = math.max(kept, now) + interval
local admitted_at = restored - burst * interval
if admitted_at > now then
    return { 0, math.ceil(admitted_at - now) }
end
redis.call('SET', KEYS[1], string.format('%.3f', restored), 'PX', math.ceil((restored - now) / 1000) + 1)
return { math.floor((now - admitted_at) / interval + 0.001), 0 }
