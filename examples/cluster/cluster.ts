import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { organizationFile } from './load.js'
import { Part, type Program } from './part.js'
import { freePort } from '../../scripts/ports.mjs'
import { Programs, startDatabase, type PrivateDatabase } from './programs.js'

const applicationCount = 3

/** Redis, a database, three application processes and a load balancer before them. */
export class Cluster {
  readonly parts: Part[] = []
  origin = ''

  private constructor(
    private readonly folder: string,
    private readonly programs: Programs,
    private readonly database: PrivateDatabase,
    private readonly report: (line: string) => void,
  ) {}

  /**
   * @param options.isFile whether the database is an SQLite file, as it is where no server is installed.
   * @param options.report gets a line for each program that ends, and for each that logs something.
   */
  static async start(options: {
    readonly isFile: boolean
    readonly report: (line: string) => void
  }): Promise<Cluster> {
    const folder = await mkdtemp(join(tmpdir(), 'parley-cluster-'))
    const programs = new Programs(folder)
    const database = await startDatabase(folder, options.isFile)
    const cluster = new Cluster(folder, programs, database, options.report)
    try {
      await cluster.#startParts()
    } catch (error) {
      await cluster.stop()
      throw error
    }
    return cluster
  }

  async stop(): Promise<void> {
    // What others use is stopped after them.
    for (const part of this.parts.toReversed()) await part.stop()
    await this.database.stop()
    await rm(this.folder, { recursive: true, force: true })
    this.programs.release()
  }

  async #startParts(): Promise<void> {
    const { start, address } = this.database
    if (start !== undefined) await this.#add('database', start)
    const redisPort = await freePort()
    await this.#add('redis', () => this.programs.redis(redisPort))

    const organization = join(this.folder, 'organization.json')
    await writeFile(organization, JSON.stringify(organizationFile))
    const parameters = ['--database', address, '--organization', organization]
    const environment = { REDIS_URL: `redis://127.0.0.1:${redisPort}` }
    const ports = await Promise.all(
      Array.from({ length: applicationCount }, (_, index) =>
        this.#addNode(`app ${index + 1}`, 'server.ts', environment, (port) => [
          '--port',
          String(port),
          ...parameters,
        ]),
      ),
    )
    const proxyPort = await this.#addNode('proxy', 'proxy.ts', {}, (port) =>
      [port, ...ports].map(String),
    )
    this.origin = `http://127.0.0.1:${proxyPort}`
  }

  async #add(name: string, open: () => Promise<Program>): Promise<void> {
    const part = new Part(name, open, this.report)
    this.parts.push(part)
    await part.start()
  }

  /** @returns its port, which stays the same when it is started again. */
  async #addNode(
    name: string,
    file: string,
    environment: Readonly<Record<string, string>>,
    parameters: (port: number) => string[],
  ): Promise<number> {
    let port = 0
    await this.#add(name, async () => {
      const node = await this.programs.node(file, parameters(port), environment, (text) => {
        // The first line of what is logged; the rest is the details of an error.
        if (/^[A-Z]/.test(text)) this.report(`${name} logs: ${text.split(/ [{\n]/)[0]}`)
      })
      port = node.port
      return node.program
    })
    return port
  }
}
