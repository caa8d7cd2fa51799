import hljs from 'highlight.js/lib/core'
import type { HLJSApi, Language, LanguageFn, Mode } from 'highlight.js'
import bash from 'highlight.js/lib/languages/bash'
import c from 'highlight.js/lib/languages/c'
import clojure from 'highlight.js/lib/languages/clojure'
import cpp from 'highlight.js/lib/languages/cpp'
import csharp from 'highlight.js/lib/languages/csharp'
import css from 'highlight.js/lib/languages/css'
import dart from 'highlight.js/lib/languages/dart'
import diff from 'highlight.js/lib/languages/diff'
import dockerfile from 'highlight.js/lib/languages/dockerfile'
import elixir from 'highlight.js/lib/languages/elixir'
import erlang from 'highlight.js/lib/languages/erlang'
import go from 'highlight.js/lib/languages/go'
import graphql from 'highlight.js/lib/languages/graphql'
import haskell from 'highlight.js/lib/languages/haskell'
import ini from 'highlight.js/lib/languages/ini'
import java from 'highlight.js/lib/languages/java'
import javascript from 'highlight.js/lib/languages/javascript'
import json from 'highlight.js/lib/languages/json'
import kotlin from 'highlight.js/lib/languages/kotlin'
import latex from 'highlight.js/lib/languages/latex'
import less from 'highlight.js/lib/languages/less'
import lua from 'highlight.js/lib/languages/lua'
import makefile from 'highlight.js/lib/languages/makefile'
import markdown from 'highlight.js/lib/languages/markdown'
import nginx from 'highlight.js/lib/languages/nginx'
import ocaml from 'highlight.js/lib/languages/ocaml'
import perl from 'highlight.js/lib/languages/perl'
import php from 'highlight.js/lib/languages/php'
import powershell from 'highlight.js/lib/languages/powershell'
import protobuf from 'highlight.js/lib/languages/protobuf'
import python from 'highlight.js/lib/languages/python'
import r from 'highlight.js/lib/languages/r'
import ruby from 'highlight.js/lib/languages/ruby'
import rust from 'highlight.js/lib/languages/rust'
import scala from 'highlight.js/lib/languages/scala'
import scss from 'highlight.js/lib/languages/scss'
import shell from 'highlight.js/lib/languages/shell'
import sql from 'highlight.js/lib/languages/sql'
import swift from 'highlight.js/lib/languages/swift'
import typescript from 'highlight.js/lib/languages/typescript'
import xml from 'highlight.js/lib/languages/xml'
import yaml from 'highlight.js/lib/languages/yaml'

const grammars: Readonly<Record<string, LanguageFn>> = {
  bash,
  c,
  clojure,
  cpp,
  csharp,
  css,
  dart,
  diff,
  dockerfile,
  elixir,
  erlang,
  go,
  graphql,
  haskell,
  ini,
  java,
  javascript,
  json,
  kotlin,
  latex,
  less,
  lua,
  makefile,
  markdown,
  nginx,
  ocaml,
  perl,
  php,
  powershell,
  protobuf,
  python,
  r,
  ruby,
  rust,
  scala,
  scss,
  shell,
  sql,
  swift,
  typescript,
  xml,
  yaml,
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

/** Whether a mode matches a declaration: types, a name, and what follows it. */
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

/** A separate instance of highlight.js: the application's may have other languages or settings. */
export const highlighter: HLJSApi = hljs.newInstance()
for (const [name, grammar] of Object.entries(grammars)) {
  highlighter.registerLanguage(name, quick(name, grammar))
}
highlighter.registerAliases(['sage', 'python3', 'py3', 'python2', 'py2', 'starlark', 'bazel'], {
  languageName: 'python',
})
highlighter.registerAliases(['ksh'], { languageName: 'bash' })
highlighter.registerAliases(['shell-session'], { languageName: 'shell' })
highlighter.registerAliases(['postgresql', 'postgres', 'mysql', 'sqlite3'], { languageName: 'sql' })
