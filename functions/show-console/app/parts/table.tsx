import {
  type ComponentChildren,
  Fragment,
  type TargetedEvent,
  type TargetedKeyboardEvent,
} from 'preact';
import { useEffect } from 'preact/hooks';
import { hasShortcuts, isPlainKey } from '../shared/shortcuts.ts';

export type Column<Item> = {
  readonly head: ComponentChildren;
  readonly cell: (item: Item) => ComponentChildren;
  /**
   * `end` aligns right, `roomy` is hidden when there's little room, `roomiest` sooner.
   */
  readonly look?: string;
  /** In twelfths of the table. Columns without one share the rest. */
  readonly width?: 1 | 2 | 3 | 4;
  readonly isLink?: boolean;
};

/** `walk`: the focus comes by. */
export type ChosenBy = 'walk' | 'space' | 'click';

export type TableProps<Item> = {
  label: string;
  columns: readonly Column<Item>[];
  rows: readonly Item[];
  keyOf: (item: Item) => string;
  /** `undefined` if the row has no page. */
  hrefOf?: (item: Item) => string | undefined;
  /** Rows of another one than the row before begin with a line that says which, such as a day. */
  groupOf?: (item: Item) => string;
  /** The row that is shown beside the list. */
  chosen?: string | undefined;
  /** Asks for a row to be shown there, or no more. Answers whether it is: if not, a click opens the row's page. */
  onChoose?: ((item: Item, by: ChosenBy) => boolean) | undefined;
};

/**
 * Quiet rows that lie on the page, each one a link: for a pointer, for Tab and Enter, and for the arrow keys, J and K
 * from row to row. What's the same in most rows belongs in the head.
 */
export function Table<Item>({
  label,
  columns,
  rows,
  keyOf,
  hrefOf,
  groupOf,
  chosen,
  onChoose,
}: TableProps<Item>) {
  useEffect(() => {
    document.addEventListener('keydown', enterRows);
    return () => document.removeEventListener('keydown', enterRows);
  }, []);
  const choose = (within: EventTarget | null, by: ChosenBy): boolean => {
    const id = within instanceof Element ? within.closest('tr')?.dataset['key'] : undefined;
    const item = rows.find((one) => keyOf(one) === id);
    return item !== undefined && onChoose?.(item, by) === true;
  };
  const onKey = (event: TargetedKeyboardEvent<HTMLElement>) => {
    const isOfRow = event.target instanceof Element && event.target.matches('.row-link');
    if (event.key !== ' ' || !isOfRow) return walkRows(event, (link) => choose(link, 'walk'));
    if (choose(event.target, 'space')) event.preventDefault();
  };
  const onClick = (event: TargetedEvent<HTMLElement, MouseEvent>) => {
    if (isPlainClick(event) && choose(event.target, 'click')) {
      event.preventDefault();
      // The router doesn't mind that.
      event.stopPropagation();
      if (event.target instanceof Element) rowLink(event.target.closest('tr'))?.focus();
    } else openRow(event);
  };
  return (
    <table class="dense" aria-label={label}>
      <thead>
        <tr>
          {columns.map(({ head, look = '', width }, place) => (
            <th key={place} scope="col" class={`${look} ${width ? `w${width}` : ''}`}>
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody onClick={onClick} onKeyDown={onKey}>
        {rows.map((item, place) => {
          const href = hrefOf?.(item);
          const key = keyOf(item);
          const before = rows[place - 1];
          const group = groupOf?.(item);
          const isNext = groupOf && before !== undefined && groupOf(before) !== group;
          return (
            <Fragment key={key}>
              {isNext && (
                <tr class="group">
                  <td colSpan={columns.length}>{group}</td>
                </tr>
              )}
              <tr data-key={key} class={key === chosen ? 'chosen' : undefined}>
                {columns.map(({ cell, look, isLink }, column) => (
                  <td key={column} class={look}>
                    {isLink && href !== undefined ? (
                      <a class="row-link" href={href}>
                        {cell(item)}
                      </a>
                    ) : (
                      cell(item)
                    )}
                  </td>
                ))}
              </tr>
            </Fragment>
          );
        })}
      </tbody>
    </table>
  );
}

const rowLink = (row: Element | null | undefined) => row?.querySelector<HTMLElement>('.row-link');

/** Without a key that opens a new tab, and not the second of two; Enter makes clicks too, but they're of no button. */
const isPlainClick = ({ target, detail, ctrlKey, metaKey, shiftKey }: MouseEvent): boolean =>
  detail === 1 &&
  !(ctrlKey || metaKey || shiftKey) &&
  target instanceof Element &&
  !target.closest('a:not(.row-link), button, dialog');

/** The down arrow and J enter the list from the top of the page; the arrow from its search box too. */
function enterRows(event: KeyboardEvent): void {
  const { key, target, defaultPrevented } = event;
  if (defaultPrevented || !(target instanceof Element)) return;
  const isArrow = key === 'ArrowDown' && target.matches('body, h1, [type="search"]');
  const isLetter = key === 'j' && target.matches('body, h1') && isPlainKey(event);
  const first = rowLink(document.querySelector('main'));
  if (!first || !(isArrow || (isLetter && hasShortcuts()))) return;
  event.preventDefault();
  first.focus();
}

/** Times are above the row's link, so that pointers and fingers reach them. A click on one still opens the row. */
function openRow(event: TargetedEvent<HTMLElement, MouseEvent>): void {
  const { target } = event;
  if (!(target instanceof Element) || target.closest('a, button, dialog')) return;
  const isTouch = event instanceof PointerEvent && event.pointerType === 'touch';
  if (isTouch && target.closest('time')) return;
  const { ctrlKey, metaKey, shiftKey } = event;
  const click = { bubbles: true, cancelable: true, ctrlKey, metaKey, shiftKey };
  rowLink(target.closest('tr'))?.dispatchEvent(new MouseEvent('click', click));
}

const steps: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1, j: 1, k: -1 };

function walkRows(
  event: TargetedKeyboardEvent<HTMLElement>,
  onWalk: (link: Element) => void,
): void {
  const { target, currentTarget, key } = event;
  if (!(target instanceof HTMLElement)) return;
  const isLetter = key.length === 1;
  if (isLetter && !(isPlainKey(event) && hasShortcuts())) return;
  const links = [...currentTarget.querySelectorAll<HTMLElement>('.row-link')];
  const at = links.indexOf(target);
  if (at < 0) return;
  const step = steps[key];
  const next = key === 'Home' ? 0 : key === 'End' ? links.length - 1 : step && at + step;
  if (next === undefined) return;
  event.preventDefault();
  const link = links[next];
  if (link === undefined) return;
  link.focus();
  onWalk(link);
}
