export { IncomingAddresses, type ChannelMailTarget } from './incoming-addresses.js'
export { MailSignatures } from './mail-signatures.js'
