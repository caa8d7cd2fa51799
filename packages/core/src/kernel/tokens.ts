import type { InjectionToken } from 'tsyringe'

import type { Clock } from './clock.js'
import type { Logger } from './logger.js'

/** The {@link Clock} that the application passed, or the machine's. */
export const ClockToken: InjectionToken<Clock> = Symbol('Clock')

/** The {@link Logger} that the application passed, or the silent one. */
export const LoggerToken: InjectionToken<Logger> = Symbol('Logger')
