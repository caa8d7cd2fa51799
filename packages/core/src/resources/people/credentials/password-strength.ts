import type { ZxcvbnFactory } from '@zxcvbn-ts/core'
import { inject } from 'tsyringe'

import { limits } from '../../../domain/limits.js'
import { foldCase, takeCodePoints } from '../../../domain/texts/folding.js'
import { perServer } from '../../../kernel/per-server.js'
import { ServerFactsToken, type ServerFacts } from '../../../kernel/server-facts.js'

/** The time of an estimate grows faster than the length; a strong prefix is enough. */
const consideredLength = 30

/** Checks whether a new password is long enough and takes enough attempts to guess. */
@perServer()
export class PasswordStrength {
  #estimator: Promise<ZxcvbnFactory> | undefined

  constructor(@inject(ServerFactsToken) private readonly facts: ServerFacts) {}

  /** @param related texts that an attacker would try first, such as the user's own name. */
  async isEnough(password: string, related: readonly string[]): Promise<boolean> {
    const { minLength, minGuesses } = this.facts.passwordPolicy
    if (password.length < minLength || password.length > limits.passwordMaxLength) return false
    if (minGuesses === 0) return true
    if (related.some((text) => foldCase(text) === foldCase(password))) return false
    this.#estimator ??= loadEstimator()
    const estimator = await this.#estimator
    const words = related.flatMap((text) => [text, ...text.split(/[^\p{L}\p{N}]+/u)])
    const considered = takeCodePoints(password, consideredLength)
    const { guesses } = estimator.check(
      considered,
      words.filter((word) => word !== ''),
    )
    return guesses >= minGuesses
  }
}

/** Loaded on first use: the list of common passwords takes about 25 MB. */
async function loadEstimator(): Promise<ZxcvbnFactory> {
  const [{ ZxcvbnFactory: Factory }, { adjacencyGraphs, dictionary }] = await Promise.all([
    import('@zxcvbn-ts/core'),
    import('@zxcvbn-ts/language-common'),
  ])
  return new Factory({
    graphs: adjacencyGraphs,
    dictionary: { 'passwords-common': dictionary['passwords-common'] },
  })
}
