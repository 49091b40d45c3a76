// A table of any length: up to a screenful or a few all rows are there; of more, those that are seen, while the table
// says how many there are and which each one is.
//
// What is not on the screen is not in the page, so that the browser's own search does not find it: whoever shows a long
// table gives it a filter (parts/filters.tsx). Rows are of any height.

import { defaultRangeExtractor, type Range, useWindowVirtualizer } from "@tanstack/react-virtual";
import { type FocusEvent, memo, type ReactNode, useLayoutEffect, useRef, useState } from "react";

export type TableColumn<T> = {
  readonly cell: (row: T) => ReactNode;
  readonly head: string;
  /** Names the row for whoever hears it. */
  readonly isHeader?: true;
  /** Of the width, in hundredths. */
  readonly share: number;
};

type LongTableProps<T> = {
  readonly caption: string;
  readonly columns: readonly TableColumn<T>[];
  readonly keyOf: (row: T) => string;
  readonly rows: readonly T[];
  /** Beyond so many, rows come and go. */
  readonly whole?: number;
};

const WHOLE = 200;
const ROW_PX = 41;
const BESIDE = 8;

export const LongTable = <T,>(props: LongTableProps<T>): ReactNode =>
  props.rows.length > (props.whole ?? WHOLE) ? <RollingTable {...props} /> : <WholeTable {...props} />;

const Frame = <T,>({
  caption,
  children,
  columns,
  count,
}: Pick<LongTableProps<T>, "caption" | "columns"> & {
  readonly children: ReactNode;
  readonly count?: number;
}): ReactNode => (
  <table aria-rowcount={count === undefined ? undefined : count + 1} className="long">
    <caption>{caption}</caption>
    <colgroup>
      {columns.map(({ head, share }) => (
        <col key={head} style={{ width: `${share}%` }} />
      ))}
    </colgroup>
    <thead>
      <tr aria-rowindex={count === undefined ? undefined : 1}>
        {columns.map(({ head }) => (
          <th key={head} scope="col">
            {head}
          </th>
        ))}
      </tr>
    </thead>
    {children}
  </table>
);

type CellsProps<T> = { readonly columns: readonly TableColumn<T>[]; readonly row: T };

const Cells = memo(function Cells<T>({ columns, row }: CellsProps<T>): ReactNode {
  return columns.map(({ cell, head, isHeader }) =>
    isHeader === true ? (
      <th key={head} scope="row">
        {cell(row)}
      </th>
    ) : (
      <td data-head={head} key={head}>
        {cell(row)}
      </td>
    ),
  );
}) as <T>(props: CellsProps<T>) => ReactNode;

const WholeTable = <T,>({ caption, columns, keyOf, rows }: LongTableProps<T>): ReactNode => (
  <Frame caption={caption} columns={columns}>
    <tbody>
      {rows.map((row) => (
        <tr data-row key={keyOf(row)}>
          <Cells columns={columns} row={row} />
        </tr>
      ))}
    </tbody>
  </Frame>
);

const RollingTable = <T,>({ caption, columns, keyOf, rows }: LongTableProps<T>): ReactNode => {
  const body = useRef<HTMLTableSectionElement>(null);
  const held = useRef<number | undefined>(undefined);
  const [top, place] = useState(0);
  const roller = useWindowVirtualizer({
    count: rows.length,
    estimateSize: () => ROW_PX,
    getItemKey: (at) => keyOf(rows[at] as T),
    overscan: BESIDE,
    // A row with the focus stays, wherever the page is: what somebody is at does not vanish under them.
    rangeExtractor: (range: Range) => {
      const shown = defaultRangeExtractor(range);
      const at = held.current;
      if (at === undefined || at >= range.count || shown.includes(at)) return shown;
      return [...shown, at].sort((one, other) => one - other);
    },
    scrollMargin: top,
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: what stands above may have grown or gone with the rows
  useLayoutEffect(() => {
    const found = body.current?.getBoundingClientRect().top;
    if (found !== undefined) place(Math.round(found + scrollY));
  }, [rows]);
  const items = roller.getVirtualItems();
  const hold = ({ target }: FocusEvent): void => {
    const at = target.closest("[data-index]")?.getAttribute("data-index");
    held.current = at === null || at === undefined ? undefined : Number(at);
  };
  const parts: ReactNode[] = [];
  let end = top;
  for (const { end: ends, index, key, start } of items) {
    if (start > end) parts.push(<Space height={start - end} key={`before ${key}`} span={columns.length} />);
    end = ends;
    parts.push(
      <tr aria-rowindex={index + 2} data-index={index} data-row key={key} ref={roller.measureElement}>
        <Cells columns={columns} row={rows[index] as T} />
      </tr>,
    );
  }
  const left = top + roller.getTotalSize() - end;
  return (
    <Frame caption={caption} columns={columns} count={rows.length}>
      <tbody onBlur={() => (held.current = undefined)} onFocus={hold} ref={body}>
        {parts}
        {left > 0 ? <Space height={left} span={columns.length} /> : undefined}
      </tbody>
    </Frame>
  );
};

/** Where rows are that are not here. */
const Space = ({ height, span }: { readonly height: number; readonly span: number }): ReactNode => (
  // biome-ignore lint/a11y/noInteractiveElementToNoninteractiveRole: a row of nothing is no row
  <tr className="space" role="presentation" style={{ height }}>
    <td colSpan={span} />
  </tr>
);
