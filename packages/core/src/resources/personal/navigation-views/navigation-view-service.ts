import { createHash } from 'node:crypto'

import { inject } from 'tsyringe'

import { Quotas } from '../../../domain/quotas.js'
import { invalidCharacterPosition } from '../../../domain/texts/invalid-characters.js'
import type { Actor } from '../../../domain/users/actor.js'
import { badRequest, ChatError, namedText } from '../../../errors/index.js'
import { perServer } from '../../../kernel/per-server.js'
import {
  Database,
  type OrganizationScope,
  type Transaction,
  UnitOfWork,
} from '../../../storage/index.js'
import {
  type NavigationView,
  navigationViewAdded,
  navigationViewRemoved,
  navigationViewUpdated,
} from './navigation-view-events.js'
import { navigationViews } from './navigation-views-table.js'

/** In characters. */
export const maxFragmentLength = 2000
export const maxViewNameLength = navigationViews.columns.name.maxLength

/** The views that every client has; users can only pin and unpin them. */
const builtInFragments: ReadonlySet<string> = new Set([
  'inbox',
  'recent',
  'feed',
  'drafts',
  'scheduled',
  'reminders',
  'narrow/has/reaction/sender/me',
  'narrow/is/mentioned',
  'narrow/is/starred',
])

const scheme = /^[A-Za-z][A-Za-z0-9+.-]*:/

/** Manages the configuration of navigation views. */
@perServer()
export class NavigationViewService {
  constructor(
    @inject(Database) private readonly database: Database,
    @inject(Quotas) private readonly quotas: Quotas,
    @inject(UnitOfWork) private readonly unitOfWork: UnitOfWork,
  ) {}

  /** The views that the actor has configured, in the order of creation. */
  async list(
    actor: Actor,
    scope: OrganizationScope = this.database.read(actor.organizationId),
  ): Promise<NavigationView[]> {
    const rows = await scope.rows(navigationViews).list({ user_id: actor.userId }, 'id')
    return rows.map(({ fragment, is_pinned, name }) => ({
      fragment,
      is_pinned,
      name,
    }))
  }

  /**
   * @throws {ChatError} `BAD_REQUEST` if the fragment or name has control characters, the fragment
   *   begins with the scheme of an address, a built-in view has a name or a custom view has none, or the actor already has a view with that
   *   fragment or name, or too many views.
   */
  async add(actor: Actor, view: NavigationView): Promise<void> {
    const { userId } = actor
    requireConsistentView(view)
    await this.unitOfWork.runFor(actor, async (tx) => {
      if (await tx.rows(navigationViews).has(keyOf(userId, view.fragment))) throw viewExists()
      if (view.name !== null) await this.#requireFreeName(tx, userId, view.name)
      this.quotas.require(
        'navigationViewsPerUser',
        (await tx.rows(navigationViews).count({ user_id: userId })) + 1,
      )
      await tx.rows(navigationViews).insert({
        ...view,
        user_id: userId,
        fragment_hash: hashOfFragment(view.fragment),
      })
      tx.emit(navigationViewAdded({ userIds: [userId] }, { navigation_view: view }))
    })
  }

  /**
   * Changes the given properties. The actor's clients get an event even if the values are the same.
   *
   * @throws {ChatError} `OBJECT_NOT_FOUND` if the actor has no such view.
   * @throws {ChatError} `BAD_REQUEST` if a built-in view would get a name, the name is empty, or
   *   the actor already has a view with that name, including this view.
   */
  async edit(
    actor: Actor,
    fragment: string,
    changes: { readonly name?: string; readonly is_pinned?: boolean },
  ): Promise<void> {
    const { userId } = actor
    await this.unitOfWork.runFor(actor, async (tx) => {
      const key = keyOf(userId, fragment)
      if (!(await tx.rows(navigationViews).has(key))) throw noSuchView()
      if (Object.keys(changes).length === 0) return
      if (changes.name !== undefined) {
        requireFittingName(fragment, changes.name)
        requireCharacters('name', changes.name)
        if (changes.name === '') throw nameless()
        await this.#requireFreeName(tx, userId, changes.name)
      }
      await tx.rows(navigationViews).update(key, changes)
      tx.emit(navigationViewUpdated({ userIds: [userId] }, { fragment, data: { ...changes } }))
    })
  }

  /** @throws {ChatError} `OBJECT_NOT_FOUND` if the actor has no such view. */
  async remove(actor: Actor, fragment: string): Promise<void> {
    const { userId } = actor
    await this.unitOfWork.runFor(actor, async (tx) => {
      const key = keyOf(userId, fragment)
      if ((await tx.rows(navigationViews).delete(key)) === 0) throw noSuchView()
      tx.emit(navigationViewRemoved({ userIds: [userId] }, { fragment }))
    })
  }

  async #requireFreeName(tx: Transaction, userId: number, name: string): Promise<void> {
    if (await tx.rows(navigationViews).has({ user_id: userId, name })) throw viewExists()
  }
}

function keyOf(user_id: number, fragment: string) {
  return { user_id, fragment_hash: hashOfFragment(fragment) }
}

export function hashOfFragment(fragment: string): string {
  return createHash('sha256').update(fragment).digest('hex')
}

/**
 * @throws {ChatError} `BAD_REQUEST` if the fragment or name has control characters, or a built-in
 *   view has a name or a custom view has none.
 */
export function requireConsistentView({ fragment, name }: Omit<NavigationView, 'is_pinned'>): void {
  requireCharacters('fragment', fragment)
  if (name !== null) requireCharacters('name', name)
  // A client puts a `#` before it, but one that does not would follow `javascript:`.
  if (scheme.test(fragment)) throw badRequest('NAVIGATION_VIEW_FRAGMENT_INVALID')
  requireFittingName(fragment, name)
  if (name === null && !builtInFragments.has(fragment)) throw nameless()
}

function requireCharacters(parameter: 'fragment' | 'name', text: string): void {
  const position = invalidCharacterPosition(text)
  if (position === undefined) return
  throw badRequest('PARAMETER_WRONG_CHARACTER', { parameter, position })
}

function requireFittingName(fragment: string, name: string | null): void {
  if (name !== null && builtInFragments.has(fragment)) {
    throw badRequest('BUILT_IN_VIEW_WITHOUT_NAME')
  }
}

function nameless(): ChatError {
  return badRequest('CUSTOM_VIEW_NAME_REQUIRED')
}

function viewExists(): ChatError {
  return badRequest('NAVIGATION_VIEW_TAKEN')
}

function noSuchView(): ChatError {
  return new ChatError('OBJECT_NOT_FOUND', { text: namedText('NAVIGATION_VIEW_UNKNOWN') })
}
