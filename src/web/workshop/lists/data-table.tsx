import { Trans } from '@lingui/react/macro';
import ChevronRight from 'lucide-react/icons/chevron-right';
import { Icon } from '../../ui/images/icon.tsx';

type DataTableProps = {
  caption: string;
  /** The first is the heading of the row headers. */
  heads: string[];
  rows: string[][];
  /** The last row, set apart. */
  foot?: string[];
};

/** A chart's data as a table behind a summary; works without script. */
export function DataTable({ caption, heads, rows, foot }: DataTableProps) {
  return (
    <details className="data">
      <summary>
        <Icon of={ChevronRight} size={16} className="icon--turn" />
        <Trans>Show as a table</Trans>
      </summary>
      <table className="data-table data-table--compact">
        <caption className="sr-only">{caption}</caption>
        <thead>
          <tr>
            {heads.map((head, index) => (
              <th key={head} scope="col" className={index === 0 ? undefined : 'number'}>
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((cells) => (
            <Row key={cells[0]} cells={cells} />
          ))}
        </tbody>
        {foot !== undefined && (
          <tfoot>
            <Row cells={foot} />
          </tfoot>
        )}
      </table>
    </details>
  );
}

function Row({ cells: [head, ...cells] }: { cells: string[] }) {
  return (
    <tr>
      <th scope="row">{head}</th>
      {cells.map((cell, index) => (
        // A row's cells stand for its columns.
        // oxlint-disable-next-line react/no-array-index-key
        <td key={index} className="number">
          {cell}
        </td>
      ))}
    </tr>
  );
}
