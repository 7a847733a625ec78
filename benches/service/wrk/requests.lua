-- Requests of one workload, from the file that the environment names: a line each of method, path and body, separated
-- by tabs. `@@` in one is replaced by a number that no other request has. Every thread begins at a place of its own, and
-- so does every one of several that run at once, which are told which part of the file they begin behind.

local threads = 0

function setup(thread)
  thread:set("number", threads)
  threads = threads + 1
end

function init()
  local headers = {}
  for name, value in string.gmatch(os.getenv("BENCH_HEADERS"), "([^=;]+)=([^;]+)") do
    headers[name] = value
  end
  requests, fresh = {}, {}
  for line in io.lines(os.getenv("BENCH_REQUESTS")) do
    local method, path, body = string.match(line, "^(%u+)\t([^\t]+)\t(.*)$")
    if string.find(line, "@@", 1, true) then
      fresh[#requests + 1] = { method, path, body }
      requests[#requests + 1] = false
    else
      requests[#requests + 1] = wrk.format(method, path, headers, body ~= "" and body or nil)
    end
  end
  all_headers = headers
  place = math.floor((number / 2 + (os.getenv("BENCH_BEHIND") or 0)) * #requests)
  made = 0
  start = os.getenv("BENCH_START") .. number
  pause = tonumber(os.getenv("BENCH_PAUSE"))
end

function request()
  place = place % #requests + 1
  local ready = requests[place]
  if ready then return ready end
  made = made + 1
  local one = fresh[place]
  local unused = start .. "x" .. made
  local path = string.gsub(one[2], "@@", unused)
  local body = string.gsub(one[3], "@@", unused)
  return wrk.format(one[1], path, all_headers, body ~= "" and body or nil)
end

-- Milliseconds to wait before the next request of a connection: whole ones, which make up the pause on average.
if os.getenv("BENCH_PAUSE") then
  function delay()
    local whole = math.floor(pause)
    if math.random() < pause - whole then return whole + 1 end
    return whole
  end
end

function done(summary, latency)
  local errors = summary.errors
  local failures = errors.connect + errors.read + errors.write + errors.timeout + errors.status
  io.write(string.format("RESULT %d %d %d %d %d %d\n", summary.requests, summary.duration,
    latency:percentile(50), latency:percentile(99), latency:percentile(99.9), failures))
end
