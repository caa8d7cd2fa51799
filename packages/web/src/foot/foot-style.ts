import { css } from 'lit'

/** What is below the list of conversations. */
export const footStyle = css`
  .foot {
    display: flex;
    flex-wrap: wrap;
    gap: 4px;
    padding-bottom: 12px;
  }
  .bar:has(> parley-foot) {
    align-items: start;
  }
  .foot button {
    padding-inline: 8px;
    gap: 8px;
    font-size: 0.88em;
  }
  .foot [role='status'] {
    margin: 0 8px;
    color: var(--text-quiet);
    font-size: 0.88em;
  }
`
