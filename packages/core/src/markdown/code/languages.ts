import { createRequire } from 'node:module'

import type { HLJSApi, Language, LanguageFn, Mode } from 'highlight.js'

const require = createRequire(import.meta.url)

/** Loads the grammars; with literal names, so that bundlers find them. */
function loadGrammars(): Readonly<Record<string, LanguageFn>> {
  return {
    bash: require('highlight.js/lib/languages/bash'),
    c: require('highlight.js/lib/languages/c'),
    clojure: require('highlight.js/lib/languages/clojure'),
    cpp: require('highlight.js/lib/languages/cpp'),
    csharp: require('highlight.js/lib/languages/csharp'),
    css: require('highlight.js/lib/languages/css'),
    dart: require('highlight.js/lib/languages/dart'),
    diff: require('highlight.js/lib/languages/diff'),
    dockerfile: require('highlight.js/lib/languages/dockerfile'),
    elixir: require('highlight.js/lib/languages/elixir'),
    erlang: require('highlight.js/lib/languages/erlang'),
    go: require('highlight.js/lib/languages/go'),
    graphql: require('highlight.js/lib/languages/graphql'),
    haskell: require('highlight.js/lib/languages/haskell'),
    ini: require('highlight.js/lib/languages/ini'),
    java: require('highlight.js/lib/languages/java'),
    javascript: require('highlight.js/lib/languages/javascript'),
    json: require('highlight.js/lib/languages/json'),
    kotlin: require('highlight.js/lib/languages/kotlin'),
    latex: require('highlight.js/lib/languages/latex'),
    less: require('highlight.js/lib/languages/less'),
    lua: require('highlight.js/lib/languages/lua'),
    makefile: require('highlight.js/lib/languages/makefile'),
    markdown: require('highlight.js/lib/languages/markdown'),
    nginx: require('highlight.js/lib/languages/nginx'),
    ocaml: require('highlight.js/lib/languages/ocaml'),
    perl: require('highlight.js/lib/languages/perl'),
    php: require('highlight.js/lib/languages/php'),
    powershell: require('highlight.js/lib/languages/powershell'),
    protobuf: require('highlight.js/lib/languages/protobuf'),
    python: require('highlight.js/lib/languages/python'),
    r: require('highlight.js/lib/languages/r'),
    ruby: require('highlight.js/lib/languages/ruby'),
    rust: require('highlight.js/lib/languages/rust'),
    scala: require('highlight.js/lib/languages/scala'),
    scss: require('highlight.js/lib/languages/scss'),
    shell: require('highlight.js/lib/languages/shell'),
    sql: require('highlight.js/lib/languages/sql'),
    swift: require('highlight.js/lib/languages/swift'),
    typescript: require('highlight.js/lib/languages/typescript'),
    xml: require('highlight.js/lib/languages/xml'),
    yaml: require('highlight.js/lib/languages/yaml'),
  }
}

/** Their declarations begin with types, which their grammars search from every word to the end. */
const declaringLanguages = new Set(['c', 'cpp', 'csharp', 'java'])

/**
 * Removes the modes of a grammar that take quadratic time or more: a message of ten thousand
 * letters "a" must not block the process for seconds.
 */
function quick(name: string, grammar: LanguageFn): LanguageFn {
  if (name === 'ini') return (api) => changed(grammar(api), keyOnOneLine)
  if (!declaringLanguages.has(name)) return grammar
  return (api) => changed(grammar(api), (mode) => (readsTypes(mode) ? undefined : mode))
}

function changed(language: Language, change: (mode: Mode) => Mode | undefined): Language {
  const contains = language.contains.flatMap((mode) => change(mode) ?? [])
  return { ...language, contains }
}

/** Whether a mode matches a declaration: types, a name, and the text after it. */
function readsTypes({ begin, returnBegin, excludeEnd, className }: Mode): boolean {
  return (
    className === 'function' ||
    (returnBegin === true && excludeEnd === true) ||
    (Array.isArray(begin) && className !== undefined)
  )
}

/** Restricts a dotted key to one line. */
function keyOnOneLine(mode: Mode): Mode {
  const { begin } = mode
  if (mode.className !== 'attr' || typeof begin !== 'string') return mode
  return { ...mode, begin: begin.replaceAll(String.raw`\s*`, '[ \\t]*') }
}

let highlighter: HLJSApi | undefined

/**
 * A separate instance of highlight.js: the application's may have other languages or settings.
 * Loaded on first use.
 */
export function loadHighlighter(): HLJSApi {
  return (highlighter ??= createHighlighter())
}

function createHighlighter(): HLJSApi {
  const core: HLJSApi = require('highlight.js/lib/core')
  const created = core.newInstance()
  for (const [name, grammar] of Object.entries(loadGrammars())) {
    created.registerLanguage(name, quick(name, grammar))
  }
  created.registerAliases(['sage', 'python3', 'py3', 'python2', 'py2', 'starlark', 'bazel'], {
    languageName: 'python',
  })
  created.registerAliases(['ksh'], { languageName: 'bash' })
  created.registerAliases(['shell-session'], { languageName: 'shell' })
  created.registerAliases(['postgresql', 'postgres', 'mysql', 'sqlite3'], { languageName: 'sql' })
  return created
}
