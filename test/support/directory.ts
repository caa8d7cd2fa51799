import { execFile, spawn, type ChildProcess } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'

import { freePort, isListening } from '../../scripts/ports.mjs'
import { endGroup, startGuard } from '../../scripts/process-guard.mjs'

const run = promisify(execFile)
const server = '/usr/sbin/slapd'
const filler = '/usr/sbin/slapadd'
const startMilliseconds = 20_000
const shutDownMilliseconds = 20_000

/** The suffix of every test directory. */
export const suffix = 'dc=directory,dc=test'
/** The account that reads the entries, as an application would have one. */
export const reader = { dn: `cn=reader,${suffix}`, password: 'reader secret' }

/**
 * Whether slapd is installed; adds a skipped test with the reason if it is not.
 *
 * @throws {Error} without it if `CI=true`: continuous integration covers everything.
 */
export function hasDirectoryServer(): boolean {
  if (existsSync(server)) return true
  if (process.env.CI === 'true') throw new Error('CI=true, but slapd is not installed.')
  void test('THE DIRECTORY IS SKIPPED: apt-get install slapd', { skip: true }, () => {})
  return false
}

/**
 * An OpenLDAP server of the test, with a temporary folder. Both are removed by `stop()`, and also
 * if this process is killed before.
 */
export class TestDirectory {
  /** The self-signed certificate of the server. */
  certificate = ''
  port = 0
  securePort = 0
  readonly #guard = startGuard()
  #folder = ''
  #child: ChildProcess | undefined

  get url(): string {
    return `ldap://127.0.0.1:${this.port}`
  }

  get secureUrl(): string {
    return `ldaps://127.0.0.1:${this.securePort}`
  }

  /** @param entries LDIF of the entries below the suffix and the reader. */
  async start(entries: string): Promise<void> {
    this.#folder = await mkdtemp(join(tmpdir(), 'parley-directory-'))
    this.#guard.watchFolder(this.#folder)
    await mkdir(this.#path('data'))
    await this.#makeCertificate()
    await writeFile(this.#path('conf'), this.#configuration(), { mode: 0o600 })
    await writeFile(this.#path('ldif'), `${base}\n${entries}`)
    await run(filler, ['-f', this.#path('conf'), '-l', this.#path('ldif')])
    for (let attempt = 0; attempt < 3; attempt += 1) {
      this.port = await freePort()
      this.securePort = await freePort()
      if (await this.#launch()) return
    }
    throw new Error('slapd did not start')
  }

  /** Stops the server, as an outage would; the data is kept. */
  async shutDown(): Promise<void> {
    if (this.#child !== undefined) await this.#end(this.#child, shutDownMilliseconds)
  }

  async startAgain(): Promise<void> {
    if (!(await this.#launch())) throw new Error('slapd did not start again')
  }

  async stop(): Promise<void> {
    await this.shutDown()
    await rm(this.#folder, { recursive: true, force: true })
    this.#guard.release()
  }

  async #launch(): Promise<boolean> {
    const addresses = `${this.url}/ ${this.secureUrl}/`
    // With -d it stays in the foreground, as a child process that our signals end.
    const child = spawn(server, ['-f', this.#path('conf'), '-h', addresses, '-d', '0'], {
      detached: true,
      stdio: 'ignore',
    })
    if (child.pid !== undefined) this.#guard.watchGroup(child.pid)
    this.#child = child
    const deadline = Date.now() + startMilliseconds
    while (Date.now() < deadline && child.exitCode === null) {
      if ((await isListening(this.port)) && (await isListening(this.securePort))) return true
      await sleep(20)
    }
    await this.#end(child, 0)
    return false
  }

  async #end(child: ChildProcess, graceMilliseconds: number): Promise<void> {
    if (child.exitCode !== null || child.signalCode !== null) return
    await endGroup(child, graceMilliseconds)
    // Its process id may soon belong to another process.
    if (child.pid !== undefined) this.#guard.forgetGroup(child.pid)
  }

  async #makeCertificate(): Promise<void> {
    const [key, certificate] = [this.#path('key.pem'), this.#path('certificate.pem')]
    const request = 'req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=directory.test'
    const address = ['-addext', 'subjectAltName=IP:127.0.0.1']
    await run('openssl', [...request.split(' '), ...address, '-keyout', key, '-out', certificate])
    this.certificate = await readFile(this.#path('certificate.pem'), 'utf8')
  }

  #configuration(): string {
    return `
include /etc/ldap/schema/core.schema
include /etc/ldap/schema/cosine.schema
include /etc/ldap/schema/inetorgperson.schema
pidfile ${this.#path('pid')}
argsfile ${this.#path('args')}
modulepath /usr/lib/ldap
moduleload back_mdb
TLSCertificateFile ${this.#path('certificate.pem')}
TLSCertificateKeyFile ${this.#path('key.pem')}
database mdb
directory ${this.#path('data')}
suffix "${suffix}"
access to attrs=userPassword by anonymous auth by * none
access to * by dn.exact="${reader.dn}" read by self read by anonymous auth by * none
`
  }

  #path(name: string): string {
    return join(this.#folder, name)
  }
}

const base = `
dn: ${suffix}
objectClass: dcObject
objectClass: organization
o: Directory
dc: directory

dn: ${reader.dn}
objectClass: person
cn: reader
sn: reader
userPassword: ${reader.password}
`
