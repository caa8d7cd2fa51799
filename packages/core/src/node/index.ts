export { attachUpgrade, type AttachUpgradeOptions } from './attach-upgrade.js'
export { answerFetch, type FetchOptions } from './fetch.js'
export { sendChatResponse } from './send-chat-response.js'
export { toChatRequest, type ToChatRequestOptions } from './to-chat-request.js'
