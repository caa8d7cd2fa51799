export { SettingMembers } from './setting-members.js'
