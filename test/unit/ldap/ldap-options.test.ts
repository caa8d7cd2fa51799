import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { ldapPasswordAuthenticator, type LdapOptions } from '@parley/core/ldap'

import {
  escapeFilterValue,
  escapeNameValue,
} from '../../../packages/core/src/ldap/ldap-password-authenticator.js'

const good: LdapOptions = {
  url: 'ldaps://directory.example',
  search: { base: 'dc=example', filter: '(uid={username})' },
}

const refused = (changes: Partial<LdapOptions>): string => {
  try {
    ldapPasswordAuthenticator({ ...good, ...changes })
  } catch (error) {
    assert.ok(error instanceof TypeError)
    return error.message.replace('ldapPasswordAuthenticator: ', '')
  }
  return 'accepted'
}

describe('names in a directory', () => {
  it('are escaped in a filter', () => {
    assert.equal(
      escapeFilterValue('*)(uid=\\admin\0 Bücher'),
      String.raw`\2a\29\28uid=\5cadmin\00 Bücher`,
    )
  })

  it('are escaped in a distinguished name', () => {
    assert.equal(escapeNameValue('a,ou=b+c"<>;\\\0'), String.raw`a\2cou\3db\2bc\22\3c\3e\3b\5c\00`)
    assert.equal(escapeNameValue('#lead'), String.raw`\23lead`)
    assert.equal(escapeNameValue(' both '), String.raw`\20both\20`)
    assert.equal(escapeNameValue('a b#c Bücher'), 'a b#c Bücher')
  })
})

describe('the options of the directory', () => {
  it('are validated at once', () => {
    assert.equal(refused({}), 'accepted')
    assert.match(refused({ url: 'http://directory.example' }), /^url must begin with ldap/)
    assert.match(refused({ url: 'ldap://directory.example' }), /passwords unencrypted/)
    assert.equal(refused({ url: 'ldap://directory.example', startTls: true }), 'accepted')
    assert.equal(refused({ url: 'ldap://directory.example', allowPlainText: true }), 'accepted')
    assert.equal(refused({ url: 'ldap://127.0.0.1:3890' }), 'accepted')
    assert.match(refused({ startTls: true }), /encrypted already/)
    assert.match(refused({ userDn: 'uid={username}' }), /exactly one of search and userDn/)
    assert.match(refused({ search: { base: 'x', filter: '(uid=ada)' } }), /placeholder/)
    assert.match(refused({ search: { base: 'x', filter: '(uid={username}' } }), /is no filter/)
    assert.match(
      refused({ search: { base: 'x', filter: '(uid={username})', bindDn: 'cn=reader' } }),
      /needs a bindPassword/,
    )
    assert.match(refused({ disabledFilter: 'closed' }), /disabledFilter is no filter/)
    assert.match(refused({ timeoutMilliseconds: 0 }), /timeoutMilliseconds must be/)
  })

  it('are all named if several are invalid', () => {
    const text = refused({ url: '', userDn: 'x', timeoutMilliseconds: -1 })

    assert.equal(text.split('; ').length, 4)
  })

  it('declare which usernames are accepted, and whether accounts are created or adopted', () => {
    const usual = ldapPasswordAuthenticator(good)
    const strict = ldapPasswordAuthenticator({
      ...good,
      emailUsernames: true,
      createsAccounts: false,
      adoptsAccountsByEmail: true,
    })

    assert.deepEqual(
      [usual.acceptsAnyUsername, usual.createsAccounts, usual.adoptsAccountsByEmail],
      [true, true, false],
    )
    assert.deepEqual(
      [strict.acceptsAnyUsername, strict.createsAccounts, strict.adoptsAccountsByEmail],
      [false, false, true],
    )
  })
})
