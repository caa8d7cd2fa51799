export { MessageWordRepository } from './message-word-repository.js'
