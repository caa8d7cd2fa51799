import { css } from 'lit'

/** The help of shortcuts. */
export const shortcutStyle = css`
  .switch {
    gap: 8px;
    min-height: 32px;
  }
  .switch input {
    min-height: 0;
  }
  .shortcuts p {
    margin: 12px 0 4px;
    color: var(--text-quiet);
  }
  .shortcuts dl {
    margin: 0;
  }
  .shortcuts dl > div {
    display: flex;
    gap: 12px;
    padding-block: 3px;
  }
  .shortcuts dt {
    flex: 0 0 38%;
  }
  .shortcuts dd {
    margin: 0;
  }
  .shortcuts kbd {
    padding: 1px 6px;
    border: 1px solid var(--control-line);
    border-radius: 4px;
    background: var(--code-background);
    font: 0.9em var(--font-code);
  }
`
