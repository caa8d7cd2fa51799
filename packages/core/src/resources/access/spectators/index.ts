export { Spectators } from './spectators.js'
