import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { findMysqlServer, startPrivateMysql } from './private-mysql.mjs'
import { ended, endGroup, startGuard } from './process-guard.mjs'
import { root } from './run-command.mjs'

/**
 * Starts every example the way its reader would, talks to it with the credentials it prints, stops
 * it with SIGTERM, and starts it again on the same database.
 */

const examples = [
  { name: 'express-sqlite', database: 'sqlite', printsSampleUsers: true },
  { name: 'koa-mysql', database: 'mysql', printsSampleUsers: true },
  { name: 'embedded-product', database: 'sqlite', printsSampleUsers: false },
]

const featureLevel = 420
const startTimeoutSeconds = 60
const stopTimeoutSeconds = 10
const answerTimeoutSeconds = 15

const guard = startGuard()
const running = new Set()

/** Starts an example and waits until it has printed where it listens. */
async function startExample(name, parameters, environment) {
  const child = spawn(
    process.execPath,
    [
      '--conditions=@parley/source',
      '--import',
      'tsx',
      `examples/${name}/server.ts`,
      '--port',
      '0',
      ...parameters,
    ],
    {
      cwd: root,
      detached: true,
      env: { ...process.env, ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  )
  running.add(child)
  if (child.pid !== undefined) guard.watchGroup(child.pid)
  const example = { name, child, output: '' }
  const listeners = new Set()
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text) => {
      example.output += text
      for (const listener of listeners) listener()
    })
  }

  /** Waits until the output matches; undefined when the process ends or the time is over before. */
  example.waitForOutput = async (pattern, seconds) => {
    const deadline = Date.now() + seconds * 1000
    for (;;) {
      const found = pattern.exec(example.output)
      const left = deadline - Date.now()
      if (found || left <= 0 || child.exitCode !== null || child.signalCode !== null) return found
      await new Promise((resolve) => {
        const wake = () => {
          clearTimeout(timer)
          listeners.delete(wake)
          child.off('exit', wake)
          resolve()
        }
        const timer = setTimeout(wake, left)
        listeners.add(wake)
        child.once('exit', wake)
      })
    }
  }

  const line = await example.waitForOutput(/listens on (https?:\/\/\S+)\s/, startTimeoutSeconds)
  if (!line) {
    const reason = child.exitCode === null ? `within ${startTimeoutSeconds} s` : 'and ended'
    throw new Error(`it printed no address ${reason}\nIt printed:\n${example.output}`)
  }
  example.address = line[1].replace(/\/$/, '')
  return example
}

/** The sample users of an example: what its `curl -u EMAIL:KEY` lines hold. */
async function readSampleUsers(example, seconds) {
  await example.waitForOutput(/(curl .*-u \S+:\S+ [^]*){2}\n/, seconds)
  return [...example.output.matchAll(/curl .*?-u ['"]?([^\s:'"]+):([^\s'"]+)/g)].map(
    ([, email, key]) => ({ email, key }),
  )
}

/** Ends an example as a service manager does, while a client still waits for events. */
async function stopExample(example) {
  const { child } = example
  const started = Date.now()
  child.kill('SIGTERM')
  let timer
  const timeout = new Promise((resolve) => {
    timer = setTimeout(resolve, stopTimeoutSeconds * 1000)
  })
  await Promise.race([ended(child), timeout])
  clearTimeout(timer)
  check(
    child.exitCode === 0,
    `ended with ${child.exitCode ?? child.signalCode ?? 'nothing'} instead of 0 ` +
      `${Date.now() - started} ms after SIGTERM`,
  )
  await endGroup(child)
  running.delete(child)
}

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

async function smoke(example, parameters, environment) {
  let server = await startExample(example.name, parameters, environment)
  try {
    await checkServerSettings(server.address)
    if (!example.printsSampleUsers) {
      await stopExample(server)
      server = await startExample(example.name, parameters, environment)
      await checkServerSettings(server.address)
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

    server = await startExample(example.name, parameters, environment)
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

/** Runs an example to its end, which must come by itself, with one line on standard error. */
async function runToEnd(parameters) {
  const child = spawn(
    process.execPath,
    ['--conditions=@parley/source', '--import', 'tsx', 'examples/express-sqlite/server.ts'].concat(
      parameters,
    ),
    { cwd: root, detached: true, stdio: ['ignore', 'pipe', 'pipe'] },
  )
  running.add(child)
  if (child.pid !== undefined) guard.watchGroup(child.pid)
  const printed = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr']) {
    child[name].setEncoding('utf8').on('data', (text) => (printed[name] += text))
  }
  const timer = setTimeout(() => void endGroup(child), startTimeoutSeconds * 1000)
  await Promise.all([ended(child), once(child.stderr, 'close'), once(child.stdout, 'close')])
  clearTimeout(timer)
  running.delete(child)
  return { code: child.exitCode, ...printed }
}

/** The command line, and what `--development` lets in. */
async function checkArguments(database) {
  const help = await runToEnd(['--help'])
  check(
    help.code === 0 && help.stdout.includes('--development') && help.stderr === '',
    `--help ended with ${help.code}: ${help.stderr}`,
  )
  const isLine = (text, expected) => /^[^\n]+\n$/.test(text) && expected.test(text)
  const wrong = await runToEnd(['--prot', '1'])
  check(
    wrong.code === 2 && isLine(wrong.stderr, /--prot/),
    `a wrong option ended with ${wrong.code}: ${wrong.stderr}`,
  )

  const server = await startExample('express-sqlite', ['--development', '--database', database], {})
  try {
    const { port } = new URL(server.address)
    const taken = await runToEnd(['--port', port, '--database', `${database}-2`])
    check(
      taken.code === 1 && isLine(taken.stderr, new RegExp(`${port} is in use`)),
      `a port in use ended with ${taken.code}: ${taken.stderr}`,
    )
    const [owner] = await readSampleUsers(server, 10)
    await call(server.address, owner, 'POST', '/users', {
      email: 'short@example.com',
      full_name: 'Short Password',
      password: 'abcd',
    })
  } finally {
    await stopExample(server)
  }
}

async function createMysqlDatabase(serverUrl, database) {
  const { createConnection } = createRequire(join(root, 'examples/package.json'))('mysql2/promise')
  const connection = await createConnection(serverUrl)
  await connection.query(`CREATE DATABASE ${database} CHARACTER SET utf8mb4 COLLATE utf8mb4_bin`)
  await connection.end()
  return `${serverUrl}${database}`
}

function printSkipped(name, reason) {
  console.log(`\n!!!!!!!!!!  SKIPPED: examples/${name}: ${reason}  !!!!!!!!!!\n`)
}

const folder = mkdtempSync(join(tmpdir(), 'parley-examples-'))
guard.watchFolder(folder)
let mysql
const cleanUp = async () => {
  for (const child of running) await endGroup(child)
  await mysql?.stop()
  rmSync(folder, { recursive: true, force: true })
  guard.release()
}
for (const signal of ['SIGINT', 'SIGTERM']) {
  process.once(signal, () => void cleanUp().finally(() => process.exit(1)))
}

let hasFailed = false
for (const example of examples) {
  if (!existsSync(join(root, 'examples', example.name, 'server.ts'))) {
    printSkipped(example.name, 'there is no server.ts')
    continue
  }
  if (example.database === 'mysql' && !findMysqlServer() && process.env.CI !== 'true') {
    printSkipped(example.name, 'no MySQL server is installed')
    continue
  }
  const started = Date.now()
  try {
    const parameters = []
    const environment = {}
    if (example.database === 'mysql') {
      mysql ??= await startPrivateMysql()
      environment.MYSQL_URL = await createMysqlDatabase(mysql.url, 'parley_example')
    } else {
      parameters.push('--database', join(folder, `${example.name}.sqlite`))
    }
    await smoke(example, parameters, environment)
    console.log(`ok      examples/${example.name} (${Date.now() - started} ms)`)
  } catch (error) {
    hasFailed = true
    console.log(`FAILED  examples/${example.name}: ${error.message}`)
    for (const child of running) await endGroup(child)
    running.clear()
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
