/** Attributes that are allowed, by the local name of an element; `*` is for all of them. */
export type AllowedAttributes = ReadonlyMap<string, ReadonlySet<string>>

/**
 * The elements that messages may contain, by namespace. Names are in lower case, also in SVG.
 * `style` is not an attribute here: single properties are allowed.
 */
export const allowedElements: Readonly<Record<string, AllowedAttributes>> = {
  'http://www.w3.org/1999/xhtml': lists({
    '*': 'aria-hidden aria-label class dir title',
    a: 'data-message-id data-stream-id href target',
    audio: 'controls preload src',
    'b blockquote br code dd del details dl dt em h1 h2 h3 h4 h5 h6 hr i li p pre s source': '',
    div: 'data-code-language',
    img: 'alt data-original-dimensions height src width',
    ol: 'start',
    span: 'data-user-group-id data-user-id role',
    'strong sub summary sup table tbody thead tr ul': '',
    'td th': 'colspan rowspan',
    time: 'datetime',
    video: 'controls height preload src width',
  }),
  'http://www.w3.org/1998/Math/MathML': lists({
    '*': 'mathvariant',
    annotation: 'encoding',
    math: 'display xmlns',
    menclose: '',
    mfrac: 'linethickness',
    'mi mn mphantom mroot mrow ms msqrt msub msubsup msup mtr mtext semantics': '',
    mo: 'accent fence lspace maxsize minsize rspace separator stretchy',
    'mover munder munderover': 'accent accentunder',
    mpadded: 'height lspace width',
    mspace: 'height width',
    mstyle: 'displaystyle scriptlevel',
    mtable: 'columnalign columnspacing displaystyle rowspacing',
    mtd: 'columnalign colspan rowspan',
  }),
  'http://www.w3.org/2000/svg': lists({
    '*': '',
    g: '',
    line: 'stroke-width x1 x2 y1 y2',
    path: 'd',
    svg: 'height preserveaspectratio viewbox width xmlns',
  }),
}

function lists(attributesByNames: Readonly<Record<string, string>>): AllowedAttributes {
  return new Map(
    Object.entries(attributesByNames).flatMap(([names, attributes]) =>
      names.split(' ').map((name) => [name, new Set(attributes.split(' '))] as const),
    ),
  )
}
