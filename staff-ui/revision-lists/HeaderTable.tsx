import { isDouble } from '#api/revision-lists/revision-list.contract';
import type { DragEndEvent } from '@dnd-kit/core';
import { closestCenter, DndContext, PointerSensor, useDraggable, useDroppable, useSensor, useSensors } from '@dnd-kit/core';
import { useState } from 'react';
import { Button } from '../../ui/controls/Button.tsx';
import { useCommand } from '../../ui/sending/useSend.ts';
import { Table } from '../../ui/table/Table.tsx';
import type { Header, Page } from './edits.ts';
import { moved, undoOf } from './edits.ts';
import { DeleteHeader, DeletedHeaders } from './DeletedHeaders.tsx';
import { HeaderDialog } from './HeaderDialog.tsx';
import styles from './RevisionLists.module.css';

type HeaderTableProps = { readonly subjectId: string; readonly page: Page; readonly reset: () => void };

/** The headers of the subject, to add, edit, delete and put in order: by dragging them, or with the buttons of each. */
export const HeaderTable = ({ subjectId, page, reset }: HeaderTableProps) => {
  const { headers, deleted } = page;
  const [editing, setEditing] = useState<Header | 'new'>();
  const [deleting, setDeleting] = useState<Header>();
  const [message, setMessage] = useState('');
  const sensors = useSensors(useSensor(PointerSensor, { activationConstraint: { distance: 4 } }));
  const stored = headers.map(({ headerId }) => headerId);
  const order = useCommand('OrderRevisionHeaders', {
    input: (headerIds: readonly string[]) => ({ subjectId, headerIds: [...headerIds], was: stored }),
    notice: () => 'The order of the topic headers has changed.',
    undo: ({ commandId }) => undoOf(subjectId, commandId),
  });
  const ids = (order.pending && order.input) || stored;
  const shown = [...headers].sort((a, b) => ids.indexOf(a.headerId) - ids.indexOf(b.headerId));
  const move = (from: number, to: number) => {
    const name = shown[from]?.name;
    if (order.pending || name === undefined || to < 0 || to >= shown.length || from === to) return;
    setMessage(`${name} is number ${to + 1} of ${shown.length} now.`);
    void order.send(
      moved(
        shown.map(({ headerId }) => headerId),
        from,
        to,
      ),
    );
  };
  const placeOf = (key: unknown) => shown.findIndex(({ headerId }) => headerId === key);
  const dropped = ({ active, over }: DragEndEvent) => over && move(placeOf(active.id), placeOf(over.id));
  return (
    <div className="stack gap-3">
      {shown.length > 0 && (
        <DndContext sensors={sensors} collisionDetection={closestCenter} onDragEnd={dropped}>
          <Table label="Headers in their order" isList cardsBelow={600} className={styles.table}>
            <thead>
              <tr>
                <th scope="col">Header</th>
                <th scope="col" className="figure">
                  Questions
                </th>
                <th scope="col">
                  <span className="sr">Change</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {shown.map((header, index) => (
                <Row
                  key={header.headerId}
                  header={header}
                  index={index}
                  last={shown.length - 1}
                  double={isDouble(
                    header.name,
                    shown.filter((other) => other !== header),
                  )}
                  onMove={(to) => move(index, to)}
                  onEdit={() => setEditing(header)}
                  onDelete={() => setDeleting(header)}
                />
              ))}
            </tbody>
          </Table>
        </DndContext>
      )}
      {shown.length === 0 && <p className="muted small">There is no topic header yet: add one, or have a list suggested.</p>}
      <div className="line">
        <Button onClick={() => setEditing('new')}>New Header</Button>
        {shown.length === 0 && <Button onClick={reset}>Reset</Button>}
      </div>
      <DeletedHeaders subjectId={subjectId} deleted={deleted} />
      <span className="sr" role="status">
        {message}
      </span>
      {editing !== undefined && (
        <HeaderDialog
          subjectId={subjectId}
          header={editing === 'new' ? undefined : editing}
          others={headers.filter((other) => other !== editing)}
          onClose={() => setEditing(undefined)}
        />
      )}
      {deleting && <DeleteHeader subjectId={subjectId} header={deleting} onClose={() => setDeleting(undefined)} />}
    </div>
  );
};

type RowProps = {
  readonly header: Header;
  readonly index: number;
  readonly last: number;
  readonly double: boolean;
  readonly onMove: (to: number) => void;
  readonly onEdit: () => void;
  readonly onDelete: () => void;
};

const Row = ({ header: { headerId, name, questions }, index, last, double, onMove, onEdit, onDelete }: RowProps) => {
  const { setNodeRef, listeners, transform, isDragging } = useDraggable({ id: headerId });
  const { setNodeRef: setTarget, isOver } = useDroppable({ id: headerId });
  const ref = (node: HTMLElement | null) => {
    setNodeRef(node);
    setTarget(node);
  };
  return (
    <tr
      ref={ref}
      style={transform ? { transform: `translateY(${transform.y}px)` } : {}}
      data-dragged={isDragging || undefined}
      data-over={(isOver && !isDragging) || undefined}
    >
      <th scope="row">
        <span className="line breaks">
          <span className={styles.handle} title="Drag to another place" aria-hidden="true" {...listeners}>
            ⠿
          </span>
          <span>
            {name}
            {double && <small className={styles.double}>There is another header with this name.</small>}
          </span>
        </span>
      </th>
      <td className="figure" data-label="Questions">
        {questions}
      </td>
      <td>
        <span className="line">
          <Button look="plain" aria-label={`Move ${name} up`} aria-disabled={index === 0} onClick={() => onMove(index - 1)}>
            ↑
          </Button>
          <Button look="plain" aria-label={`Move ${name} down`} aria-disabled={index === last} onClick={() => onMove(index + 1)}>
            ↓
          </Button>
          <Button look="plain" aria-label={`Edit ${name}`} onClick={onEdit}>
            Edit
          </Button>
          <Button look="remove" aria-label={`Delete ${name}`} onClick={onDelete}>
            Delete
          </Button>
        </span>
      </td>
    </tr>
  );
};
