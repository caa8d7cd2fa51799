export { french } from '../texts/french/index.js'
