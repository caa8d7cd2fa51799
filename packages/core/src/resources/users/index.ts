export { NewcomerStepsToken, type NewcomerStep } from './newcomer-steps.js'
export { userAdded, userUpdated } from './user-events.js'
export { UserDirectory } from './user-directory.js'
export { UserRepository, type UserRow } from './user-repository.js'
export { UserService, type NewUser } from './user-service.js'
export {
  actorOf,
  apiEmail,
  avatarUrl,
  seesRealEmail,
  userObject,
  type UserObject,
} from './user-view.js'
