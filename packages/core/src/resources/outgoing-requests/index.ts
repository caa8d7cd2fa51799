export {
  BodyTooLong,
  hostOf,
  PrivateAddress,
  readBody,
  sendRequest,
  type OutgoingRequest,
} from './outgoing-requests.js'
