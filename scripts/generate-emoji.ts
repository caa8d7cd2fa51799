/**
 * Writes `packages/core/src/emoji/unicode-emoji.generated.ts`.
 *
 * The data package is not a dependency of the workspace. Install it somewhere and name its folder:
 *
 *     npm install --prefix /tmp/emoji emojibase-data@17
 *     node --import tsx scripts/generate-emoji.ts /tmp/emoji/node_modules/emojibase-data
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

type Shortcodes = Readonly<Record<string, string | readonly string[]>>

interface CompactEmoji {
  readonly hexcode: string
  readonly order?: number
}

/** Sets whose names become aliases, in order of precedence; the first also gives the main names. */
const shortcodeSets = ['cldr', 'iamcal', 'github', 'emojibase', 'joypixels']

/**
 * Names that the chat clients of this wire format give to another emoji than the sets do, or that
 * they prefer as the main name. Each belongs to the code before it and to no other.
 */
const preferredNames = `
  1f642 smile slight_smile; 1f408 cat; 1f415 dog; 1f401 mouse; 1f404 cow; 1f405 tiger; 1f407 rabbit;
  1f40e horse; 1f416 pig; 274e x; 1f17e o; 1f44c ok; 2b06 up; 1f446 point_up; 1f48f kiss;
  1f3c5 medal; 1f319 moon; 270f pencil; 23f3 hourglass; 1f4c5 calendar; 1f4c6 date; 1f4c8 chart;
  1f682 train; 1f68b tram; 1f69b truck; 1f6f5 scooter; 1f6a6 traffic_light; 26bd football;
  1f3cc golf; 26fa camping; 1f3d7 construction; 1f3e4 post_office; 1f39f ticket; 1f5de newspaper;
  1f50a sound; 1f5dd secret; 1f635 dizzy; 1f463 feet; 27b0 loop; 24c2 metro; 1f44d +1 thumbs_up;
  1f44e -1 thumbs_down; 2764 heart; 1f641 frown; 1f610 neutral; 1f615 confused; 1f609 wink;
  1f600 grinning; 1f62e open_mouth; 1f61b stuck_out_tongue; 1f389 tada; 1f697 car;
  1f419 octopus; 263a smiling_face; 1f6e0 working_on_it; 1f60e sunglasses; 2705 check; 1f915 hurt; 1f912 sick;
  1f3e2 office
`

/**
 * Further names under which those clients offer emoji, where none of the sets has the name: a client
 * sends the name that it knows, and reactions and statuses must accept it.
 */
const clientNames = `
  1f600 happy; 1f604 big_smile; 1f602 tears laughter_tears; 1f643 upside_down oops; 1f607 halo;
  1f60d in_love; 1f618 heart_kiss blow_a_kiss; 1f619 kiss_smiling_eyes; 1f61a kiss_with_blush;
  1f61b mischievous; 1f61c stuck_out_tongue_wink joking crazy; 1f911 money_face;
  1f917 hug arms_open; 1f913 nerd geek; 1f576 dark_sunglasses; 1f921 clown; 1f920 cowboy;
  1f60f smug; 1f61e disappointed; 1f614 tired; 1f615 oh_no half_frown concerned; 1f641 slight_frown;
  2639 sad big_frown; 1f623 helpless; 1f616 agony; 1f62b anguish; 1f629 distraught;
  1f621 rage mad grumpy very_angry; 1f636 speechless poker_face; 1f627 pained; 1f62e surprise;
  1f632 very_surprised; 1f633 embarrassed blushing; 1f628 fear scared shock;
  1f625 exhausted disappointed_relieved stressed; 1f924 drooling; 1f925 lying;
  1f62c nervous anxious; 1f910 silence quiet hush zip_it; 1f922 nauseated queasy; 1f927 sneezing;
  1f637 cant_talk; 1f912 flu ill fever face_with_thermometer; 1f915 head_bandage injured;
  1f608 smiling_devil smiling_imp; 1f47f devil imp angry_devil; 1f4a9 poop; 1f47b boo;
  1f383 pumpkin jack-o-lantern; 1f64c raised_hands praise; 1f44f clap applause;
  1f64f welcome thank_you namaste; 1f91d done_deal; 1f44d like; 1f44a fist_bump; 270a power;
  1f91b left_fist; 1f91c right_fist; 270c peace_sign victory; 1f918 rock_on sign_of_the_horns;
  1f44c got_it; 1f446 this; 261d wait_one_second point_of_information asking_a_question;
  270b hand; 1f91a stop; 1f590 high_five palm; 1f596 spock live_long_and_prosper; 1f44b hello hi;
  270d writing; 1f485 nail_polish nail_care; 1f48b lipstick_kiss; 1f444 lips; 1f463 footprints;
  1f440 looking; 1f464 silhouette shadow; 1f465 silhouettes shadows; 1f926 face_palm;
  1f937 shrug; 2705 all_good approved; 2714 check_mark; 274c cross_mark incorrect wrong;
  2753 question; 2757 exclamation; 1f4a1 light_bulb bulb idea lightbulb; 1f525 lit hot flame;
  1f4af hundred; 26a0 caution danger; 2795 plus add; 2796 minus subtract; 1f527 fixing wrench;
  1f528 maintenance handyman handywoman; 2699 settings mechanical engineer; 1f68c school_bus;
  1f3e0 home; 1f3d6 beach; 1f381 present; 1f388 celebration; 1f512 locked; 1f513 unlocked;
  1f50d search find magnifying_glass; 1f4cc pin thumb_tack; 1f4ce attachment;
  1f5d1 trash garbage trash_can; 1f942 clink toast; 1f3c6 winner; 1f4c8 upwards_trend growing increasing;
  1f4c9 downwards_trend shrinking decreasing; 1f4dd memo note; 1f4ac speech_bubble;
  1f4a5 boom explosion crash collision; 2728 glamour; 1f308 pride lgbtq; 1f40c slow;
  1f44e -1; 1f642 slight_smile; 2764 love love_you; 1f494 heartache; 1f355 slice_of_pizza;
  2615 coffee; 1f3d7 under_construction; 23f0 alarm_clock; 1f4c5 calendar; 1f334 palm_tree;
  1f3b5 music musical_note; 1f3b6 music_notes; 1f4a4 zzz; 1f919 call_me; 1f4aa muscle;
  1f4e3 megaphone shout; 1f514 notifications; 1f515 mute_notifications; 1f507 mute no_sound;
  1f4f7 camera; 1f4bb computer laptop; 1f4de landline telephone_receiver; 1f4d6 open_book;
  1f6a7 construction_zone; 1f3c1 checkered_flag race finish; 1f3af direct_hit darts bullseye;
  1f9e0 brain; 1f4bc briefcase; 1f6a8 siren police_light; 1f9f9 broom
`

const validName = /^[a-z0-9_+-]+$/
const skinTone = /-1f3f[b-f]/

const dataFolder = process.argv[2]
if (dataFolder === undefined) throw new TypeError('Name the folder of emojibase-data')

const namesByCode = new Map<string, string[]>()
const codeByName = new Map<string, string>()

function addName(code: string, name: string): void {
  const normalized = name.toLowerCase()
  if (!validName.test(normalized) || codeByName.has(normalized)) return
  codeByName.set(normalized, code)
  namesByCode.get(code)?.push(normalized)
}

const emoji = readJson<CompactEmoji[]>('en/compact.json')
  .filter(({ order, hexcode }) => order !== undefined && !isSkinTone(toCode(hexcode)))
  .sort((a, b) => (a.order ?? 0) - (b.order ?? 0))
for (const { hexcode } of emoji) namesByCode.set(toCode(hexcode), [])

for (const [code, names] of named(preferredNames)) {
  for (const name of names) addName(code, name)
}
for (const set of shortcodeSets) {
  const shortcodes = readJson<Shortcodes>(`en/shortcodes/${set}.json`)
  for (const [hexcode, names] of Object.entries(shortcodes)) {
    for (const name of [names].flat()) addName(toCode(hexcode), name)
  }
}

for (const [code, names] of named(clientNames)) {
  for (const name of names) addName(code, name)
}

const entries = [...namesByCode]
  .filter(([, names]) => names.length > 0)
  .map(([code, names]) => `${code} ${names.join(' ')}`)

writeFileSync(
  new URL('../packages/core/src/emoji/unicode-emoji.generated.ts', import.meta.url),
  [
    '// Generated by scripts/generate-emoji.ts. Do not edit.',
    '',
    '/** One emoji per line: its code, its main name, its other names. */',
    'export const unicodeEmoji = `',
    ...entries,
    '`',
    '',
  ].join('\n'),
)

/** What a list of `code name name; code name` says. */
function named(list: string): [code: string, names: string[]][] {
  return list
    .trim()
    .split(/;\s*/)
    .map((entry) => {
      const [code = '', ...names] = entry.trim().split(' ')
      if (!namesByCode.has(code)) throw new Error(`No emoji has the code ${code}`)
      return [code, names]
    })
}

function readJson<T>(file: string): T {
  return JSON.parse(readFileSync(join(dataFolder!, file), 'utf8')) as T
}

/** Codes are lower case, at least four digits each, and have no presentation selectors. */
function toCode(hexcode: string): string {
  return hexcode
    .toLowerCase()
    .split('-')
    .filter((point) => point !== 'fe0f')
    .map((point) => point.padStart(4, '0'))
    .join('-')
}

function isSkinTone(code: string): boolean {
  return skinTone.test(code) || /^1f3f[b-f]$/.test(code)
}
