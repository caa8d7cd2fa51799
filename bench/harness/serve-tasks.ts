import type { TaskFunctions } from './task-process.js'

export interface TaskCall<Name> {
  readonly call: number
  readonly task: Name
  readonly parameters: never
}

export interface TaskReply {
  readonly call: number
  readonly value?: unknown
  readonly error?: string
}

/** Does what the process that started this one asks for, until that process is gone. */
export function serveTasks<Tasks extends TaskFunctions<Tasks>>(tasks: Tasks): void {
  process.on('message', ({ call, task, parameters }: TaskCall<keyof Tasks>) => {
    const reply = (rest: Omit<TaskReply, 'call'>): void => {
      process.send?.({ call, ...rest })
    }
    tasks[task](parameters).then(
      (value: unknown) => reply({ value }),
      (error: unknown) => reply({ error: String((error as Error).stack ?? error) }),
    )
  })
  // The measurement's process is gone; nobody wants the results any more.
  process.on('disconnect', () => process.exit())
}
