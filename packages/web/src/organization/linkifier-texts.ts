/** The texts of linkifiers. */
export const linkifierTexts = {
  title: 'Linkifiers',
  about:
    'What matches a pattern in messages and topics becomes a link. The first one that matches applies.',
  none: 'There are no linkifiers.',
  pattern: 'Pattern',
  patternHint: 'a regular expression with named groups, such as #(?P<id>[0-9]+)',
  template: 'Address',
  templateHint: 'with the groups in braces, such as https://example.com/{id}',
  add: 'Add a linkifier',
} as const
