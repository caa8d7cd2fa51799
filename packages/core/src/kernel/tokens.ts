import type { InjectionToken } from 'tsyringe'

import type { Clock } from './clock.js'
import type { Logger } from './logger.js'

/** The application's {@link Clock}, or the machine's. */
export const ClockToken: InjectionToken<Clock> = Symbol('Clock')

/** The application's {@link Logger}, or the silent one. */
export const LoggerToken: InjectionToken<Logger> = Symbol('Logger')
