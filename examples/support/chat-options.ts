import type { OneOrganizationOptions } from '@parley/core'

import type { ExampleArguments } from './arguments.js'
import { consoleLogger } from './logger.js'

/** The chat's options that every example takes from its command line. */
export function chatOptions({
  development,
  heartbeatSeconds,
  rateLimits,
  extraEmojiType,
}: ExampleArguments): Omit<OneOrganizationOptions, 'database'> {
  return {
    logger: consoleLogger,
    development,
    ...(heartbeatSeconds === undefined ? {} : { heartbeatSeconds }),
    ...(rateLimits === undefined ? {} : { rateLimits }),
    ...(extraEmojiType === undefined ? {} : { extraEmojiType }),
  }
}
