-- Requests of one workload, from the file that the environment names: a line each of method, path and body, separated
-- by tabs. Every thread of wrk begins at a place of its own.

local requests = {}
local threads = 0

function setup(thread)
  thread:set("number", threads)
  threads = threads + 1
end

function init()
  local headers = { ["content-type"] = "application/json" }
  for name, value in string.gmatch(os.getenv("BENCH_HEADERS"), "([^=;]+)=([^;]+)") do
    headers[name] = value
  end
  for line in io.lines(os.getenv("BENCH_REQUESTS")) do
    local method, path, body = string.match(line, "^(%u+)\t([^\t]+)\t(.*)$")
    if body == "" then body = nil end
    requests[#requests + 1] = wrk.format(method, path, headers, body)
  end
  place = math.floor(number * #requests / 2)
end

function request()
  place = place % #requests + 1
  return requests[place]
end


function done(summary, latency)
  local errors = summary.errors
  local failures = errors.connect + errors.read + errors.write + errors.timeout + errors.status
  io.write(string.format("RESULT %.1f %d %d %d %d\n", summary.requests / summary.duration * 1e6,
    latency:percentile(50), latency:percentile(99), latency:percentile(99.9), failures))
end
