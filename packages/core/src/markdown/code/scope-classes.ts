const classOfScope: Readonly<Record<string, string>> = {
  addition: 'gi',
  attr: 'na',
  attribute: 'na',
  built_in: 'nb',
  bullet: 'k',
  'char.escape': 'se',
  code: 's',
  comment: 'c1',
  deletion: 'gd',
  doctag: 'sd',
  emphasis: 'ge',
  formula: 's',
  keyword: 'k',
  link: 's',
  literal: 'kc',
  meta: 'cp',
  'meta.prompt': 'gp',
  name: 'nt',
  number: 'mi',
  operator: 'o',
  property: 'na',
  punctuation: 'p',
  quote: 'ge',
  regexp: 'sr',
  section: 'gh',
  'selector-attr': 'na',
  'selector-class': 'nc',
  'selector-id': 'nf',
  'selector-pseudo': 'nd',
  'selector-tag': 'nt',
  string: 's',
  strong: 'gs',
  subst: 'si',
  symbol: 'ss',
  tag: 'nt',
  'template-tag': 'cp',
  'template-variable': 'nv',
  title: 'nf',
  'title.class': 'nc',
  'title.class.inherited': 'n',
  'title.function': 'nf',
  'title.function.invoke': 'n',
  type: 'kt',
  variable: 'nv',
  'variable.constant': 'no',
  'variable.language': 'bp',
}

const declaringKeywords = new Set('class const enum fn func function let type var'.split(' '))
const importingKeywords = new Set('from import include package use using'.split(' '))
const wordOperators = new Set('and in is not or'.split(' '))

/**
 * The Pygments class for a token of highlight.js's `scope`; `undefined` for plain code. `language`
 * is highlight.js's name in lower case.
 */
export function toTokenClass(scope: string, text: string, language: string): string | undefined {
  if (scope === 'keyword') return keywordClass(text, language)
  if (scope === 'string') return stringClass(text)
  if (scope === 'number') return numberClass(text)
  if (scope === 'comment') return text.startsWith('/*') ? 'cm' : 'c1'
  if (scope === 'meta') return metaClass(text)
  if (scope === 'attr' && (language === 'json' || language === 'yaml')) return 'nt'
  if (scope.startsWith('title') && (language === 'javascript' || language === 'typescript')) {
    return 'nx'
  }
  return classOfScope[scope] ?? classOfScope[scope.split('.')[0]!]
}

function keywordClass(text: string, language: string): string {
  if (language === 'python') {
    if (wordOperators.has(text)) return 'ow'
    return text === 'from' || text === 'import' ? 'kn' : 'k'
  }
  if (declaringKeywords.has(text)) return 'kd'
  if (importingKeywords.has(text)) return 'kn'
  return text === 'true' || text === 'false' || text === 'null' ? 'kc' : 'k'
}

function stringClass(text: string): string {
  const quote = /["'`]/.exec(text)?.[0]
  if (quote === '"') return 's2'
  return quote === "'" ? 's1' : 'sb'
}

function numberClass(text: string): string {
  if (/^0[xX]/.test(text)) return 'mh'
  return /[.eE]/.test(text) ? 'mf' : 'mi'
}

function metaClass(text: string): string {
  if (text.startsWith('@')) return 'nd'
  return text.startsWith('#!') ? 'ch' : 'cp'
}
