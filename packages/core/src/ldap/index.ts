export { ldapPasswordAuthenticator } from './ldap-password-authenticator.js'
export type { LdapAttributes, LdapOptions, LdapSearch } from './ldap-options.js'
