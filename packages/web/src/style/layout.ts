import { css } from 'lit'

/** Two columns, or one. The foot, which is loaded later, moves nothing then. */
export const layout = css`
  .page {
    height: 100%;
  }
  .chat {
    position: relative;
    display: grid;
    height: 100%;
    grid-template: auto minmax(0, 1fr) / var(--side-width) minmax(0, 1fr);
  }
  .chat.narrow,
  .chat.single {
    grid-template-columns: minmax(0, 1fr);
  }
  parley-banner {
    grid-column: 1 / -1;
    grid-row: 1;
  }
  parley-announcer {
    position: absolute;
  }
  .banner {
    display: flex;
    gap: 12px;
    align-items: center;
    justify-content: center;
    padding: 6px 12px;
    background: var(--own-mention-background);
    border-bottom: 1px solid var(--line);
    font-size: 0.9em;
  }
  .side {
    grid-row: 2;
    display: flex;
    flex-direction: column;
    min-height: 0;
    background: var(--side-background);
    border-inline-end: 1px solid var(--line);
  }
  .narrow .side {
    border: 0;
  }
  parley-sidebar {
    display: flex;
    flex: 1;
    flex-direction: column;
    min-height: 0;
  }
  .sidebar {
    flex: 1;
    padding: 4px 8px 16px;
    overflow: auto;
    scrollbar-width: thin;
  }
  parley-foot {
    flex: none;
    min-height: 49px;
  }
  .list-head {
    justify-content: space-between;
    margin-top: 10px;
  }
  .sidebar h2 {
    margin: 0 8px;
    color: var(--text-quiet);
    font: 600 0.8em/1.3 var(--font);
  }
  .links {
    margin: 0;
    padding: 0;
    list-style: none;
  }
  parley-link {
    display: contents;
  }
  .link {
    display: flex;
    gap: 8px;
    align-items: center;
    min-height: 30px;
    padding: 3px 8px;
    border-radius: var(--radius);
    color: var(--text);
    text-decoration: none;
  }
  button.link {
    width: 100%;
    border: 0;
    background: none;
    text-align: start;
  }
  .link .icon {
    flex: none;
    color: var(--text-quiet);
  }
  :dir(rtl) > :is(.name, .title) {
    text-align: right;
  }
  .link .name {
    flex: 1;
    min-width: 0;
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
  }
  .link:hover {
    background: var(--hover);
  }
  .link[aria-current] {
    background: var(--selected);
  }
  .link.unread .name {
    font-weight: 600;
  }
  button.more,
  .link.muted:not([aria-current]) .name {
    color: var(--text-quiet);
  }
  .link.topic {
    min-height: 27px;
    font-size: 0.94em;
  }
  .narrow .link {
    min-height: 40px;
  }
  .branch {
    flex: none;
    align-self: stretch;
    width: 16px;
    margin-block: -3px;
    border-inline-start: 1px solid var(--line);
    margin-inline: 8px -8px;
  }
  .count {
    flex: none;
    min-width: 20px;
    padding: 0 6px;
    border-radius: 10px;
    background: var(--count-background);
    color: var(--count-text);
    font: 600 0.78em/20px var(--font);
    text-align: center;
  }
  .total .count,
  .muted .count {
    background: none;
    color: var(--text-quiet);
  }
  .dot {
    flex: none;
    width: 10px;
    height: 10px;
    margin: 3px;
    border: 2px solid var(--control-line);
    border-radius: 50%;
  }
  .dot.active {
    border-color: var(--active);
    background: var(--active);
  }
  .dot.idle {
    border-color: var(--idle);
    background: linear-gradient(to right, var(--idle) 50%, transparent 50%);
  }
  .placeholder {
    padding: 12px 8px;
  }
  .bar {
    display: flex;
    align-items: center;
  }
  i.bar {
    height: 12px;
    margin: 12px 0;
    border-radius: 6px;
    background: var(--hover);
  }
  i.w70 {
    width: 70%;
  }
  i.w65 {
    width: 65%;
  }
  i.w60 {
    width: 60%;
  }
  i.w50 {
    width: 50%;
  }
  i.w45 {
    width: 45%;
  }
  .main {
    grid-row: 2;
    display: flex;
    position: relative;
    flex-direction: column;
    min-width: 0;
    min-height: 0;
  }
  header.bar {
    gap: 8px;
    min-height: 48px;
    padding: 6px 16px;
    border-bottom: 1px solid var(--line);
  }
  .narrow header.bar {
    padding-inline-start: 6px;
  }
  .title {
    flex: 1;
    margin: 0;
    overflow: hidden;
    font: 600 1.05em/1.3 var(--font);
    text-overflow: ellipsis;
    white-space: nowrap;
  }
  .title:has(+ .about) {
    flex: none;
    max-width: 70%;
  }
  .about {
    flex: 1;
    min-width: 0;
    padding-inline-start: 4px;
  }
  .narrow .main .title {
    display: -webkit-box;
    font-size: 0.98em;
    line-height: 1.2;
    overflow-wrap: anywhere;
    white-space: normal;
    -webkit-box-orient: vertical;
    -webkit-line-clamp: 2;
  }
  .search {
    display: flex;
    position: relative;
    align-items: center;
    margin: 8px;
  }
  .search .icon {
    position: absolute;
    inset-inline-start: 9px;
    color: var(--text-quiet);
    pointer-events: none;
  }
  .search input {
    width: 100%;
    padding-inline-start: 32px;
  }
  .toast {
    position: absolute;
    inset-block-end: 76px;
    inset-inline: 16px;
    display: flex;
    gap: 8px;
    align-items: center;
    width: fit-content;
    max-width: calc(100% - 32px);
    margin: 0 auto;
    padding: 8px 14px;
    border-radius: var(--radius);
    background: var(--text);
    color: var(--background);
  }
  .toast.empty {
    display: none;
  }
  .toast button {
    color: inherit;
  }
`
