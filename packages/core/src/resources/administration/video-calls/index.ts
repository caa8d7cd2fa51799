import { defineResource } from '../../../resource-definition/resource.js'
import { createBigBlueButtonCall, joinBigBlueButtonCall } from './video-call-operations.js'

export {
  BigBlueButtonToken,
  offeredProvider,
  videoCallsProblem,
  videoChatProviderIds,
  videoChatProviders,
  type BigBlueButtonServer,
  type VideoCallsOption,
} from './video-call-options.js'

export const videoCalls = defineResource({
  operations: [createBigBlueButtonCall, joinBigBlueButtonCall],
})
