export {
  GuestDepartures,
  UserVisibilityStepToken,
  type UserVisibilityStep,
} from './user-visibility-events.js'
export { GuestUserVisibility, type VisibilityDiff } from './guest-user-visibility.js'
export { RoleVisibility } from './role-visibility.js'
