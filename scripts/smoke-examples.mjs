import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import {
  endExamples,
  readSampleUsers,
  runToEnd,
  startExample,
  stopExample,
} from './example-process.mjs'
import { findMysqlServer, startPrivateMysql } from './private-mysql.mjs'
import { findPostgresServer, startPrivatePostgres } from './private-postgres.mjs'
import { startGuard } from './process-guard.mjs'
import { root } from './run-command.mjs'

/**
 * Starts every example the way its reader would, talks to it with the credentials it prints, stops
 * it with SIGTERM, and starts it again on the same database. Parameters are the names of examples, if
 * not all of them are wanted.
 */

const examples = [
  { name: 'express', database: 'sqlite', printsSampleUsers: true },
  { name: 'express', database: 'mysql', printsSampleUsers: true },
  { name: 'express', database: 'postgres', printsSampleUsers: true },
  {
    name: 'observability',
    database: 'sqlite',
    printsSampleUsers: true,
    checkRunning: checkObservability,
  },
  {
    name: 'nest-postgres',
    basePath: '/chat',
    database: 'postgres',
    printsSampleUsers: false,
    checkRunning: checkShop,
  },
  { name: 'embedded-product', basePath: '/chat', database: 'sqlite', printsSampleUsers: false },
]

const featureLevel = 420
const answerTimeoutSeconds = 120
/** Each of its processes is killed and started again, one after the other. */
const clusterSeconds = 300

const guard = startGuard()

function check(isRight, problem) {
  if (!isRight) throw new Error(problem)
}

/** Calls an operation and insists on its success. */
async function call(address, user, method, path, parameters = {}) {
  const fields = new URLSearchParams(parameters)
  const isRead = method === 'GET'
  const query = isRead && fields.size > 0 ? `?${fields}` : ''
  const response = await fetch(`${address}/api/v1${path}${query}`, {
    method,
    headers: user
      ? { authorization: `Basic ${Buffer.from(`${user.email}:${user.key}`).toString('base64')}` }
      : {},
    ...(isRead ? {} : { body: fields }),
    signal: AbortSignal.timeout(answerTimeoutSeconds * 1000),
  })
  const text = await response.text()
  check(
    response.status === 200 && text.includes('"result":"success"'),
    `${method} ${path} answered ${response.status} ${text.slice(0, 500)}`,
  )
  return JSON.parse(text)
}

async function checkServerSettings(address) {
  const settings = await call(address, undefined, 'GET', '/server_settings')
  check(
    settings.zulip_feature_level === featureLevel,
    `the feature level is ${settings.zulip_feature_level} instead of ${featureLevel}`,
  )
}

async function sendMessage(address, sender, recipientId, content) {
  await call(address, sender, 'POST', '/messages', {
    type: 'direct',
    to: JSON.stringify([recipientId]),
    content,
  })
}

/** Polls until a message with the given text arrives; answers the id of the last event seen. */
async function receiveMessage(address, user, queueId, lastEventId, content) {
  const deadline = Date.now() + answerTimeoutSeconds * 1000
  let last = lastEventId
  while (Date.now() < deadline) {
    const { events } = await call(address, user, 'GET', '/events', {
      queue_id: queueId,
      last_event_id: String(last),
    })
    for (const event of events) {
      check(event.id > last, `the event id ${event.id} came after ${last}`)
      last = event.id
      if (event.type === 'message' && event.message.content.includes(content)) return last
    }
  }
  throw new Error('the message did not arrive')
}

/** The page of metrics, and the trace of a message that was sent. */
async function checkObservability({ address, output }) {
  const response = await fetch(`${address}/metrics`, {
    signal: AbortSignal.timeout(answerTimeoutSeconds * 1000),
  })
  const text = await response.text()
  for (const line of [
    /^parley_operation_duration(_seconds)?_count\{.*parley_operation="send-message".*\} \d+$/m,
    /^parley_commit_duration(_seconds)?_bucket\{.*\} \d+$/m,
    /^parley_queues(\{.*\})? \d+$/m,
    /^parley_backlog\{.*parley_work="scheduled_messages".*\} 0$/m,
  ]) {
    check(line.test(text), `its metrics have no line like ${line}:\n${text.slice(0, 3000)}`)
  }
  const [, traceId] =
    /traceId: '(\w+)'(?:(?!traceId)[^])*?name: 'parley.send-message'/.exec(output) ?? []
  check(traceId !== undefined, 'it printed no span of send-message')
  const inTrace = output
    .split('resource: {')
    .filter((span) => span.includes(`traceId: '${traceId}'`))
  for (const name of ['POST', 'parley.commit', 'parley.statement']) {
    check(
      inTrace.some((span) => span.includes(`name: '${name}'`)),
      `the trace of send-message has no span ${name}`,
    )
  }
}

/**
 * The shop on NestJS: an order and its message are stored together, or neither, and the staff's queue
 * continues after a restart.
 *
 * @param again what it returned before the restart.
 */
async function checkShop({ address }, again) {
  const shop = (path, cookie, fields) =>
    fetch(`${address}${path}`, {
      method: fields ? 'POST' : 'GET',
      headers: { origin: address, ...(cookie && { cookie }) },
      redirect: 'manual',
      ...(fields && { body: new URLSearchParams(fields) }),
      signal: AbortSignal.timeout(answerTimeoutSeconds * 1000),
    })
  const logIn = async (name) => {
    const login = { email: `${name}@shop.example`, password: `correct horse ${name}` }
    const answer = await shop('/login', undefined, login)
    const [cookie] = (answer.headers.get('set-cookie') ?? '').split(';')
    check(answer.status === 303 && cookie !== '', `the login of ${name} answered ${answer.status}`)
    return cookie
  }
  const [ada, ben, cora] = await Promise.all(['ada', 'ben', 'cora'].map(logIn))
  const chat = async (path, fields) => (await shop(`/chat/api/v1${path}`, ada, fields)).json()

  const queue =
    again ?? (await chat('/register', { event_types: '["message"]', apply_markdown: 'false' }))
  const isSoldOut = (await shop('/orders', cora, { item: 'lamp' })).status === 409
  check(isSoldOut, 'an item that is sold out can be ordered')
  const placed = await shop('/orders', cora, { item: 'tea' })
  const page = placed.headers.get('location')
  check(placed.status === 303, `an order answered ${placed.status} ${await placed.text()}`)

  const parameters = new URLSearchParams({
    queue_id: queue.queue_id,
    last_event_id: queue.last_event_id,
  })
  const { events } = await chat(`/events?${parameters}`)
  const texts = events.map(({ message }) => message?.content).join()
  check(texts === 'Please send me: tea', `the staff got the messages ${texts}`)

  const list = await (await shop('/', ada)).text()
  check(!list.includes('lamp'), 'an order is stored although the item is sold out')
  check(/: tea<[^\n]*1 new/.test(list), `the list of orders has no badge: ${list}`)
  const order = await (await shop(page, cora)).text()
  check(order.includes('<parley-chat'), `the page of an order has no chat: ${order}`)
  const script = await shop('/parley/parley.min.js')
  check(script.status === 200, `the script of the chat answered ${script.status}`)
  const statuses = [await shop(page, ben), await shop(page)].map(({ status }) => status)
  check(statuses.join() === '404,401', `the page of an order answered others ${statuses}`)
  return { queue_id: queue.queue_id, last_event_id: events.at(-1).id }
}

async function smoke(example, parameters) {
  const { basePath = '' } = example
  let server = await startExample(guard, example.name, parameters)
  try {
    await checkServerSettings(server.address + basePath)
    if (!example.printsSampleUsers) {
      const state = await example.checkRunning?.(server)
      await stopExample(server)
      server = await startExample(guard, example.name, parameters)
      await checkServerSettings(server.address + basePath)
      await example.checkRunning?.(server, state)
      await stopExample(server)
      return
    }

    const users = await readSampleUsers(server, 10)
    check(users.length >= 2, `it printed ${users.length} sample users instead of two`)
    const [alice, bob] = users
    const { user_id: aliceId } = await call(server.address, alice, 'GET', '/users/me')
    const queue = await call(server.address, alice, 'POST', '/register', {
      event_types: JSON.stringify(['message']),
      apply_markdown: 'false',
    })
    await sendMessage(server.address, bob, aliceId, 'before the restart')
    const last = await receiveMessage(
      server.address,
      alice,
      queue.queue_id,
      queue.last_event_id,
      'before the restart',
    )

    await example.checkRunning?.(server)

    // Somebody always waits when a server is stopped, and must not hold it up.
    const waiting = fetch(
      `${server.address}/api/v1/events?queue_id=${queue.queue_id}&last_event_id=${last}`,
      { headers: { authorization: `Basic ${btoa(`${alice.email}:${alice.key}`)}` } },
    ).then(
      (response) => response.text(),
      () => undefined,
    )
    await stopExample(server)
    await waiting

    server = await startExample(guard, example.name, parameters)
    // Keys are stored hashed: an example that cannot print them again leaves the old ones valid.
    const usersAfter = [...(await readSampleUsers(server, 2)), alice, bob]
    const [aliceAfter, bobAfter] = [alice, bob].map(({ email }) =>
      usersAfter.find((user) => user.email === email),
    )
    await sendMessage(server.address, bobAfter, aliceId, 'after the restart')
    const { queue_id: queueId } = queue
    await receiveMessage(server.address, aliceAfter, queueId, last, 'after the restart')
    await stopExample(server)
  } catch (error) {
    const output = server.output.trim() || '(nothing)'
    throw new Error(`${error.message}\nIt printed:\n${output}`, { cause: error })
  }
}

/** The command line, and what `--development` lets in. */
async function checkArguments(database) {
  const help = await runToEnd(guard, ['--help'])
  check(
    help.code === 0 && help.stdout.includes('--development') && help.stderr === '',
    `--help ended with ${help.code}: ${help.stderr}`,
  )
  const isLine = (text, expected) => /^[^\n]+\n$/.test(text) && expected.test(text)
  const wrong = await runToEnd(guard, ['--prot', '1'])
  check(
    wrong.code === 2 && isLine(wrong.stderr, /--prot/),
    `a wrong option ended with ${wrong.code}: ${wrong.stderr}`,
  )
  const away = await runToEnd(guard, ['--database', join(database, 'no', 'such', 'folder')])
  check(
    away.code === 1 && isLine(away.stderr, /cannot start on its database/),
    `a database that cannot be opened ended with ${away.code}: ${away.stderr}`,
  )

  const server = await startExample(guard, 'express', ['--development', '--database', database])
  try {
    const { port } = new URL(server.address)
    const taken = await runToEnd(guard, ['--port', port, '--database', `${database}-2`])
    // The last line: the chat warns before of options that a product should set.
    const [lastLine = ''] = /[^\n]+\n$/.exec(taken.stderr) ?? []
    check(
      taken.code === 1 && isLine(lastLine, new RegExp(`${port} is in use`)),
      `a port in use ended with ${taken.code}: ${taken.stderr}`,
    )
    const [user] = await readSampleUsers(server, 10)
    const attempt = { username: user.email, password: 'any' }
    const signedIn = await call(server.address, undefined, 'POST', '/fetch_api_key', attempt)
    check(signedIn.api_key === user.key, 'any password signed somebody else in')
  } finally {
    await stopExample(server)
  }
}

/** The example of several processes ends by itself, and says whether every message arrived. */
async function smokeCluster() {
  const { code, stdout } = await runToEnd(
    guard,
    ['--kill'],
    'examples/cluster/start.ts',
    clusterSeconds,
  )
  check(
    code === 0 && /each of \d+ readers got them exactly once and in order\n$/.test(stdout),
    `it ended with ${code}\nIt printed:\n${stdout}`,
  )
}

const driverOfExamples = createRequire(join(root, 'examples/package.json'))

/** The servers beside SQLite: each is started for the first example that needs it. */
const servers = {
  mysql: {
    title: 'MySQL',
    find: findMysqlServer,
    start: startPrivateMysql,
    connect: (url) => driverOfExamples('mysql2/promise').createConnection(url),
  },
  postgres: {
    title: 'PostgreSQL',
    find: findPostgresServer,
    start: startPrivatePostgres,
    async connect(url) {
      const client = new (driverOfExamples('pg').Client)({ connectionString: `${url}postgres` })
      await client.connect()
      return client
    },
  },
}
const started = new Map()

/** Creates a database for an example; the text of its `--database`. */
async function createDatabase(kind, name) {
  if (kind === 'sqlite') return join(folder, `${name}.sqlite`)
  if (!started.has(kind)) started.set(kind, await servers[kind].start())
  const { url } = started.get(kind)
  const connection = await servers[kind].connect(url)
  const database = name.replaceAll('-', '_')
  await connection.query(`CREATE DATABASE ${database}`)
  await connection.end()
  return `${url}${database}`
}

function printSkipped(name, reason) {
  console.log(`\n!!!!!!!!!!  SKIPPED: examples/${name}: ${reason}  !!!!!!!!!!\n`)
}

const folder = mkdtempSync(join(tmpdir(), 'parley-examples-'))
guard.watchFolder(folder)
const cleanUp = async () => {
  await endExamples()
  for (const server of started.values()) await server.stop()
  rmSync(folder, { recursive: true, force: true })
  guard.release()
}
for (const signal of ['SIGINT', 'SIGTERM']) {
  process.once(signal, () => void cleanUp().finally(() => process.exit(1)))
}

let hasFailed = false
const wanted = process.argv.slice(2)
for (const example of examples) {
  if (wanted.length > 0 && !wanted.includes(example.name)) continue
  if (!existsSync(join(root, 'examples', example.name, 'server.ts'))) {
    printSkipped(example.name, 'there is no server.ts')
    continue
  }
  const server = servers[example.database]
  if (server && !server.find() && process.env.CI !== 'true') {
    printSkipped(example.name, `no ${server.title} server is installed`)
    continue
  }
  const title = `examples/${example.name} on ${example.database}`
  const began = Date.now()
  try {
    await smoke(example, ['--database', await createDatabase(example.database, example.name)])
    console.log(`ok      ${title} (${Date.now() - began} ms)`)
  } catch (error) {
    hasFailed = true
    console.log(`FAILED  ${title}: ${error.message}`)
    await endExamples()
  }
}
if (wanted.length === 0 || wanted.includes('cluster')) {
  if (spawnSync('redis-server', ['--version']).error && process.env.CI !== 'true') {
    printSkipped('cluster', 'no Redis server is installed')
  } else {
    const began = Date.now()
    try {
      await smokeCluster()
      console.log(`ok      examples/cluster (${Date.now() - began} ms)`)
    } catch (error) {
      hasFailed = true
      console.log(`FAILED  examples/cluster: ${error.message}`)
    }
  }
}
try {
  await checkArguments(join(folder, 'arguments.sqlite'))
  console.log('ok      the command line of the examples')
} catch (error) {
  hasFailed = true
  console.log(`FAILED  the command line of the examples: ${error.message}`)
}
await cleanUp()
process.exitCode = hasFailed ? 1 : 0
