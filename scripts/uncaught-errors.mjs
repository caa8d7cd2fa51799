/** What nothing in this process has caught, for the report of its tests. */
export const uncaughtErrors = []

for (const event of ['uncaughtExceptionMonitor', 'unhandledRejection']) {
  process.on(event, (error) => {
    console.error(error)
    uncaughtErrors.push(error)
  })
}
