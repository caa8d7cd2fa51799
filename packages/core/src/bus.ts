/**
 * The parts of an event bus over a broker other than Redis and PostgreSQL, for the option `bus`.
 *
 * @packageDocumentation
 */
export { BrokerBus, type Broker, type BrokerSubscriptions } from './events/bus/broker-bus.js'
