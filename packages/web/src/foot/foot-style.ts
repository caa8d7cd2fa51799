import { css } from 'lit'

/** The user, below the list of conversations. */
export const footStyle = css`
  .foot {
    padding: 4px 8px;
    border-top: 1px solid var(--line);
  }
  button.quiet.own {
    display: flex;
    gap: 8px;
    justify-content: start;
    width: 100%;
    min-height: 40px;
    padding: 2px 8px;
    color: var(--text);
    font-weight: 600;
    text-align: start;
  }
  .own .avatar {
    width: 28px;
    height: 28px;
    margin: 0;
    cursor: pointer;
  }
  .own .name {
    flex: 1;
    min-width: 0;
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
  }
  .own .icon {
    flex: none;
    color: var(--text-quiet);
  }
  .foot [role='status'] {
    display: block;
    margin: 0 8px;
    color: var(--text-quiet);
    font-size: 0.88em;
  }
`
