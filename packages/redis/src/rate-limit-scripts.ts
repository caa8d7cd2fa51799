import { createHash } from 'node:crypto'

/** A script that Redis runs atomically, with one key. */
export interface Script {
  readonly text: string
  readonly sha1: string
}

/**
 * The clock is that of Redis, so the clocks of the processes may differ. Parameters are the windows
 * of the rules in milliseconds, and their maxima, alternating. A time is a number of 8 bytes.
 */
const beginning = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local rules = {}
for index = 1, #ARGV, 2 do
  table.insert(rules, { window = tonumber(ARGV[index]), max = tonumber(ARGV[index + 1]) })
end
`

/** A function that returns the time of a counted request, 0 being the oldest. */
const timeAt = `
local function timeAt(index)
  local text = redis.call('GETRANGE', KEYS[1], index * 8, index * 8 + 7)
  return (struct.unpack('>d', text))
end
`

/**
 * The times of the requests, oldest first: exact, at 8 bytes a request. A set of them would need
 * ten times the memory.
 */
export const slidingConsume = script(`${beginning}${timeAt}
local count = redis.call('STRLEN', KEYS[1]) / 8
local longest, most, wait = 0, 0, 0
for _, rule in ipairs(rules) do
  longest = math.max(longest, rule.window)
  most = math.max(most, rule.max)
  if count >= rule.max then
    wait = math.max(wait, timeAt(count - rule.max) + rule.window - now)
  end
end
if wait == 0 then
  redis.call('APPEND', KEYS[1], struct.pack('>d', now))
  count = count + 1
  if count >= 2 * most then
    local kept = redis.call('GETRANGE', KEYS[1], (count - most) * 8, -1)
    redis.call('SET', KEYS[1], kept)
    count = most
  end
  redis.call('PEXPIRE', KEYS[1], math.ceil(longest))
end
local remaining, full = math.huge, 0
local newest = count > 0 and timeAt(count - 1) or now
for _, rule in ipairs(rules) do
  local low, high = 0, count
  while low < high do
    local middle = math.floor((low + high) / 2)
    if timeAt(middle) > now - rule.window then high = middle else low = middle + 1 end
  end
  remaining = math.min(remaining, math.max(0, rule.max - (count - low)))
  full = math.max(full, newest + rule.window - now)
end
return { math.ceil(wait), remaining, math.ceil(full) }`)

export const slidingRefund = script(`
local length = redis.call('STRLEN', KEYS[1])
if length <= 8 then return redis.call('DEL', KEYS[1]) end
redis.call('SET', KEYS[1], redis.call('GETRANGE', KEYS[1], 0, length - 9), 'KEEPTTL')
return 1`)

/** For each rule, the time at which the key has its full allowance again. */
export const pacedConsume = script(`${beginning}
local stored = redis.call('GET', KEYS[1]) or ''
local before, after, longest, wait = {}, {}, 0, 0
for index, rule in ipairs(rules) do
  longest = math.max(longest, rule.window)
  local earlier = now
  if #stored >= index * 8 then earlier = struct.unpack('>d', stored, index * 8 - 7) end
  before[index] = math.min(earlier, now + rule.window)
  after[index] = math.max(now, before[index]) + rule.window / rule.max
  wait = math.max(wait, after[index] - rule.window - now)
end
local current = before
if wait == 0 then
  current = after
  local text = ''
  for _, fullAt in ipairs(after) do text = text .. struct.pack('>d', fullAt) end
  redis.call('SET', KEYS[1], text, 'PX', math.ceil(longest))
end
local remaining, full = math.huge, 0
for index, rule in ipairs(rules) do
  local used = (current[index] - now) * rule.max / rule.window
  remaining = math.min(remaining, math.max(0, math.floor(rule.max - used)))
  full = math.max(full, current[index] - now)
end
return { math.ceil(wait), remaining, math.ceil(full) }`)

export const pacedRefund = script(`${beginning}
local stored = redis.call('GET', KEYS[1])
if not stored then return 0 end
local text = ''
for index, rule in ipairs(rules) do
  if #stored < index * 8 then break end
  local fullAt = struct.unpack('>d', stored, index * 8 - 7)
  text = text .. struct.pack('>d', fullAt - rule.window / rule.max)
end
redis.call('SET', KEYS[1], text, 'KEEPTTL')
return 1`)

export const forget = script(`return redis.call('DEL', KEYS[1])`)

function script(text: string): Script {
  return { text, sha1: createHash('sha1').update(text).digest('hex') }
}
