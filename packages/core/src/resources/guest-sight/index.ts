export { GuestDepartures } from './guest-departures.js'
export { GuestSight, type Sights } from './guest-sight.js'
export { RoleSight } from './role-sight.js'
