import { css } from 'lit'

/** What is below the list of conversations. */
export const footStyle = css`
  .foot {
    padding: 6px 8px;
    border-top: 1px solid var(--line);
  }
  .foot [role='status'] {
    display: block;
    margin: 0 8px;
    color: var(--text-quiet);
    font-size: 0.88em;
  }
`
