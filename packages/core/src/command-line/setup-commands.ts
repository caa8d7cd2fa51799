import type { Command } from './command.js'

/** The commands of deployments. */
export const setupCommands: Readonly<Record<string, Command>> = {
  check: {
    summary:
      'Tells whether the options are right, the database answers and its tables are up to date.',
    isStarted: false,
    async run(chat) {
      const { names } = await chat.pendingMigrations()
      const isUpToDate = names.length === 0
      const lines = isUpToDate
        ? ['The tables are up to date.']
        : [
            `Missing migrations: ${names.join(', ')}.`,
            '`parley migrate` applies them; `parley sql` prints their statements.',
          ]
      return { data: { isUpToDate, missing: names }, lines, isProblem: !isUpToDate }
    },
  },
  migrate: {
    summary: 'Applies the missing migrations.',
    isStarted: false,
    async run(chat) {
      await chat.migrate()
      return { data: { isUpToDate: true }, lines: ['The tables are up to date.'] }
    },
  },
  sql: {
    summary:
      'Prints the statements of the missing migrations, for people who change tables by hand.',
    isStarted: false,
    async run(chat) {
      const { names, sql } = await chat.pendingMigrations()
      return { data: { missing: names, sql }, lines: sql === '' ? [] : [sql] }
    },
  },
  doctor: {
    summary: 'Lists problems of the setup, with their remedies: `chat.diagnose()`.',
    isStarted: true,
    async run(chat) {
      const problems = await chat.diagnose()
      const lines = problems.map(({ code, message }) => `${code}: ${message}`)
      const isProblem = problems.length > 0
      return { data: { problems }, lines: isProblem ? lines : ['No problems.'], isProblem }
    },
  },
}
