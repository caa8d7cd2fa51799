// A new process, without a loader of TypeScript, as an application starts it. Arguments: a JSON list
// of the files to load, and the file of a database if a server is to be started.
const [modules, filename] = process.argv.slice(2)
const [first] = JSON.parse(modules).map((file) => require(file))

async function start() {
  const chat = first.createChatServer({
    database: { client: 'sqlite3', connection: { filename }, useNullAsDefault: true },
  })
  await chat.start()
  return chat
}

async function main() {
  const chat = filename === undefined ? undefined : await start()
  const { user, system } = process.cpuUsage()
  console.log(
    JSON.stringify({
      processorMilliseconds: (user + system) / 1000,
      residentMegabytes: process.memoryUsage.rss() / 1e6,
    }),
  )
  await chat?.close()
}

// A failure ends the process with an error.
void main()
