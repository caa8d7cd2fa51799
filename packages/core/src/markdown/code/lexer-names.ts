/**
 * The lexers of Pygments: the display name of each, then its aliases. From the package
 * `pygments-lexers` 1.1, with languages and renamings of later releases of Pygments added manually.
 */
const lexers = String.raw`
ABAP: abap; ActionScript: as actionscript; ActionScript 3: as3 actionscript3;
Ada: ada ada95 ada2005; Agda: agda; Alloy: alloy; AmbientTalk: at ambienttalk ambienttalk/2;
ANTLR: antlr; ANTLR With ActionScript Target: antlr-as antlr-actionscript;
ANTLR With C# Target: antlr-csharp antlr-c#; ANTLR With CPP Target: antlr-cpp;
ANTLR With Java Target: antlr-java; ANTLR With ObjectiveC Target: antlr-objc;
ANTLR With Perl Target: antlr-perl; ANTLR With Python Target: antlr-python;
ANTLR With Ruby Target: antlr-ruby antlr-rb; ApacheConf: apacheconf aconf apache; APL: apl;
AppleScript: applescript; AspectJ: aspectj; aspx-cs: aspx-cs; aspx-vb: aspx-vb;
Asymptote: asy asymptote; autohotkey: ahk autohotkey; AutoIt: autoit; Awk: awk gawk mawk nawk;
Base Makefile: basemake; Bash: bash sh ksh zsh shell openrc; Bash Session: console shell-session;
Batchfile: bat batch dosbatch winbatch; BBCode: bbcode; Befunge: befunge; BibTeX: bib bibtex;
BlitzBasic: blitzbasic b3d bplus; BlitzMax: blitzmax bmax; Boo: boo; Brainfuck: brainfuck bf;
Bro: bro; BUGS: bugs winbugs openbugs; C: c; C#: c# csharp cs; C++: cpp c++; c-objdump: c-objdump;
ca65 assembler: ca65; CBM BASIC V2: cbmbas; Ceylon: ceylon; CFEngine3: cfengine3 cf3;
cfstatement: cfs; ChaiScript: chai chaiscript; Chapel: chapel chpl; Cheetah: cheetah spitfire;
Cirru: cirru; Clay: clay; Clojure: clojure clj; ClojureScript: clojurescript cljs; CMake: cmake;
COBOL: cobol; COBOLFree: cobolfree; CoffeeScript: coffee-script coffeescript coffee;
Coldfusion CFC: cfc; Coldfusion HTML: cfm;
Common Lisp: common-lisp cl lisp elisp emacs emacs-lisp; Coq: coq;
cpp-objdump: cpp-objdump c++-objdumb cxx-objdump; Croc: croc; Cryptol: cryptol cry;
Crystal: cr crystal; CSS: css; CSS+Django/Jinja: css+django css+jinja;
CSS+Genshi Text: css+genshitext css+genshi; CSS+Lasso: css+lasso; CSS+Mako: css+mako;
CSS+mozpreproc: css+mozpreproc; CSS+Myghty: css+myghty; CSS+PHP: css+php;
CSS+Ruby: css+erb css+ruby; CSS+Smarty: css+smarty; CUDA: cuda cu; Cypher: cypher;
Cython: cython pyx pyrex; D: d; d-objdump: d-objdump; Darcs Patch: dpatch; Dart: dart;
Debian Control file: control debcontrol; Debian Sourcelist: sourceslist sources.list debsources;
Delphi: delphi pas pascal objectpascal; dg: dg; Diff: diff udiff; Django/Jinja: django jinja;
Docker: docker dockerfile; DTD: dtd; Duel: duel jbst jsonml+bst; Dylan: dylan;
Dylan session: dylan-console dylan-repl; DylanLID: dylan-lid lid; EBNF: ebnf; eC: ec; ECL: ecl;
Eiffel: eiffel; Elixir: elixir ex exs; Elixir iex session: iex; Elm: elm;
Embedded Ragel: ragel-em; ERB: erb; Erlang: erlang; Erlang erl session: erl; Evoque: evoque;
F#: fsharp f#; Factor: factor; Fancy: fancy fy; Fantom: fan; Felix: felix flx; Fortran: fortran;
FoxPro: foxpro vfp clipper xbase; GAP: gap; GAS: gas asm; Genshi: genshi kid xml+genshi xml+kid;
Genshi Text: genshitext; Gettext Catalog: pot po; Gherkin: cucumber gherkin; Gleam: gleam;
GLSL: glsl; Gnuplot: gnuplot; Go: go; Golo: golo; GoodData-CL: gooddata-cl; Gosu: gosu;
Gosu Template: gst; GraphQL: graphql; Groff: groff nroff man; Groovy: groovy; Haml: haml;
Handlebars: handlebars; Haskell: haskell hs; Haxe: hx haxe hxsl; HTML: html;
HTML+Cheetah: html+cheetah html+spitfire htmlcheetah;
HTML+Django/Jinja: html+django html+jinja htmldjango; HTML+Evoque: html+evoque;
HTML+Genshi: html+genshi html+kid; HTML+Handlebars: html+handlebars; HTML+Lasso: html+lasso;
HTML+Mako: html+mako; HTML+Myghty: html+myghty; HTML+PHP: html+php; HTML+Smarty: html+smarty;
HTML+Twig: html+twig; HTML+Velocity: html+velocity; HTTP: http; Hxml: haxeml hxml; Hy: hylang;
Hybris: hybris hy; IDL: idl; Idris: idris idr; Igor: igor igorpro; Inform 6: inform6 i6;
Inform 6 template: i6t; Inform 7: inform7 i7; INI: ini cfg dosini; Io: io; Ioke: ioke ik;
IRC logs: irc; Isabelle: isabelle; Jade: jade; JAGS: jags; Jasmin: jasmin jasminxt; Java: java;
Java Server Page: jsp; JavaScript: js javascript;
JavaScript+Cheetah: js+cheetah javascript+cheetah js+spitfire javascript+spitfire;
JavaScript+Django/Jinja: js+django javascript+django js+jinja javascript+jinja;
JavaScript+Genshi Text: js+genshitext js+genshi javascript+genshitext javascript+genshi;
JavaScript+Lasso: js+lasso javascript+lasso; JavaScript+Mako: js+mako javascript+mako;
Javascript+mozpreproc: javascript+mozpreproc; JavaScript+Myghty: js+myghty javascript+myghty;
JavaScript+PHP: js+php javascript+php;
JavaScript+Ruby: js+erb javascript+erb js+ruby javascript+ruby;
JavaScript+Smarty: js+smarty javascript+smarty; JSON: json json-object; JSON-LD: jsonld json-ld;
JSX: jsx react; Julia: julia jl; Julia console: jlcon; Kal: kal;
Kconfig: kconfig menuconfig linux-config kernel-config; Koka: koka; Kotlin: kotlin;
Lasso: lasso lassoscript; Lean: lean lean3; Lighttpd configuration file: lighty lighttpd;
Limbo: limbo; liquid: liquid; Literate Agda: lagda literate-agda;
Literate Cryptol: lcry literate-cryptol lcryptol; Literate Haskell: lhs literate-haskell lhaskell;
Literate Idris: lidr literate-idris lidris; LiveScript: live-script livescript; LLVM: llvm;
Logos: logos; Logtalk: logtalk; LSL: lsl; Lua: lua; Makefile: make makefile mf bsdmake;
Mako: mako; MAQL: maql; Markdown: markdown md; Mask: mask; Mason: mason;
Mathematica: mathematica mma nb; Matlab: matlab; Matlab session: matlabsession; MiniD: minid;
Modelica: modelica; Modula-2: modula2 m2; MoinMoin/Trac Wiki markup: trac-wiki moin;
Monkey: monkey; MOOCode: moocode moo; MoonScript: moon moonscript; mozhashpreproc: mozhashpreproc;
mozpercentpreproc: mozpercentpreproc; MQL: mql mq4 mq5 mql4 mql5; Mscgen: mscgen msc;
MuPAD: mupad; MXML: mxml; Myghty: myghty; MySQL: mysql; NASM: nasm; Nemerle: nemerle; nesC: nesc;
NewLisp: newlisp; Newspeak: newspeak; Nginx configuration file: nginx; Nimrod: nimrod nim;
Nit: nit; Nix: nixos nix; NSIS: nsis nsi nsh; NumPy: numpy; objdump: objdump;
objdump-nasm: objdump-nasm; Objective-C: objective-c objectivec obj-c objc;
Objective-C++: objective-c++ objectivec++ obj-c++ objc++;
Objective-J: objective-j objectivej obj-j objj; OCaml: ocaml; Octave: octave; Ooc: ooc; Opa: opa;
OpenEdge ABL: openedge abl progress; Output: output; Pan: pan; Pawn: pawn; Perl: perl pl;
PHP: php php3 php4 php5; Pig: pig; Pike: pike; PL/pgSQL: plpgsql;
PostgreSQL console (psql): psql postgresql-console postgres-console;
PostgreSQL SQL dialect: postgresql postgres; PostScript: postscript postscr; POVRay: pov;
PowerShell: powershell posh ps1 psm1 pwsh; Prolog: prolog; Properties: properties jproperties;
Protocol Buffer: protobuf proto; Puppet: puppet; PyPy Log: pypylog pypy;
Python: python py sage python3 py3 bazel starlark pyi; Python 2.x: python2 py2;
Python 2.x Traceback: py2tb; Python console session: pycon; Python Traceback: pytb py3tb;
QBasic: qbasic basic; QML: qml; Racket: racket rkt; Ragel: ragel; Ragel in C Host: ragel-c;
Ragel in CPP Host: ragel-cpp; Ragel in D Host: ragel-d; Ragel in Java Host: ragel-java;
Ragel in Objective C Host: ragel-objc; Ragel in Ruby Host: ragel-ruby ragel-rb;
Raku: perl6 pl6 raku; Raw token data: raw; RConsole: rconsole rout; Rd: rd; REBOL: rebol;
Red: red red/system; Redcode: redcode; reg: registry; ResourceBundle: resource resourcebundle;
reStructuredText: rst rest restructuredtext; Rexx: rexx arexx; RHTML: rhtml html+erb html+ruby;
RobotFramework: robotframework; RPMSpec: spec; RQL: rql; RSL: rsl; Ruby: rb ruby duby;
Ruby irb session: rbcon irb; Rust: rust rs; S: splus s r; Sass: sass; Scala: scala;
Scalate Server Page: ssp; Scaml: scaml; Scheme: scheme scm; Scilab: scilab; SCSS: scss;
Slim: slim; Smali: smali; Smalltalk: smalltalk squeak st; Smarty: smarty; Snobol: snobol;
Solidity: solidity; SourcePawn: sp; SPARQL: sparql; SQL: sql; sqlite3con: sqlite3;
SquidConf: squidconf squid.conf squid; Stan: stan; Standard ML: sml; Svelte: svelte; Swift: swift;
SWIG: swig; systemverilog: systemverilog sv; TADS 3: tads3; Tcl: tcl; Tcsh: tcsh csh; Tea: tea;
Terraform: terraform tf hcl; TeX: tex latex; Text only: text; Todotxt: todotxt; TOML: toml;
Treetop: treetop; TSX: tsx; Twig: twig; TypeScript: ts typescript; UrbiScript: urbiscript;
Vala: vala vapi; VB.net: vb.net vbnet; VCTreeStatus: vctreestatus; Velocity: velocity;
verilog: verilog v; VGL: vgl; vhdl: vhdl; VimL: vim; Vue: vue; Web IDL: webidl;
WebAssembly: wast wat; XML: xml; XML+Cheetah: xml+cheetah xml+spitfire;
XML+Django/Jinja: xml+django xml+jinja; XML+Evoque: xml+evoque; XML+Lasso: xml+lasso;
XML+Mako: xml+mako; XML+Myghty: xml+myghty; XML+PHP: xml+php; XML+Ruby: xml+erb xml+ruby;
XML+Smarty: xml+smarty; XML+Velocity: xml+velocity; XQuery: xquery xqy xq xql xqm; XSLT: xslt;
Xtend: xtend; XUL+mozpreproc: xul+mozpreproc; YAML: yaml yml; YAML+Jinja: yaml+jinja salt sls;
Zephir: zephir; Zig: zig
`

let names: ReadonlyMap<string, string> | undefined

/**
 * The display name of the language with that alias, in lower case, as existing clients expect it
 * from Pygments (`py` is "Python"). `undefined` for a language that Pygments does not have.
 */
export function lexerNameOf(alias: string): string | undefined {
  names ??= readNames()
  return names.get(alias)
}

/** Parsed on first use: many messages name no language. */
function readNames(): ReadonlyMap<string, string> {
  const byAlias = new Map<string, string>()
  for (const lexer of lexers.trim().split(/;\s/)) {
    const [name = '', aliases = ''] = lexer.split(': ')
    for (const alias of aliases.split(' ')) byAlias.set(alias, name)
  }
  return byAlias
}
