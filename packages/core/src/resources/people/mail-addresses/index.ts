export {
  IncomingAddresses,
  type ChannelMailTarget,
  type ReplyMailTarget,
} from './incoming-addresses.js'
export { MailSignatures } from './mail-signatures.js'
