import { describe, expect, test } from 'vitest';
import { createTrack, createTracks, idsOf } from './fake-tracks.ts';
import {
  add,
  clear,
  emptyQueue,
  extend,
  jump,
  move,
  next,
  previous,
  QUEUE_LIMIT,
  remove,
  replace,
  replaceBehind,
  startAt,
} from './queue.ts';
import type { Queue } from './queue.ts';

const started = (ids = 'abcde', index = 0) => startAt(createTracks(ids), index);
const addAll = (queue: Queue, ids: string) => createTracks(ids).reduce(add, queue);

/** Head, items added by hand, rest: "c|xy|deab". */
function layout({ list, individualAddToQueueIndex: at }: Queue): string {
  return [list.slice(0, 1), list.slice(1, at), list.slice(at)].map(idsOf).join('|');
}

describe('starting a list', () => {
  test('the list is rotated so that the chosen item comes first', () => {
    const queue = started('abcde', 2);
    expect(idsOf(queue.list)).toBe('cdeab');
    expect(queue.index).toBe(2);
    expect(queue.listType).toBe('category');
  });

  test('the first item leaves the list as it is', () => {
    expect(idsOf(started('abcde', 0).list)).toBe('abcde');
  });

  test('an audio that stands twice in a list is queued once, and the chosen one stays first', () => {
    const queue = started('abcbd', 3);
    expect(idsOf(queue.list)).toBe('bdac');
    expect(queue.index).toBe(2);
  });

  test('a chosen audio that comes again later is still the one that plays', () => {
    expect(idsOf(started('abca', 0).list)).toBe('abc');
    expect(idsOf(started('cabac', 1).list)).toBe('abc');
  });

  test('a place outside the list starts nothing', () => {
    expect(started('abc', 3)).toBe(emptyQueue);
    expect(startAt([], 0)).toBe(emptyQueue);
  });

  test('is no individual change, so the position is reset', () => {
    expect(started().isIndividualQueueUpdate).toBe(false);
    expect(started().isQueueAudio).toBe(false);
  });
});

describe('next', () => {
  test('takes the head off, remembers it as played, and goes to the following item', () => {
    const queue = next(started('abc'));
    expect(idsOf(queue.list)).toBe('bc');
    expect(idsOf(queue.played)).toBe('a');
    expect(queue.isIndividualQueueUpdate).toBe(false);
  });

  test('a rotated list plays all its items once, and then stops', () => {
    let queue = started('abcde', 3);
    let heard = idsOf(queue.list.slice(0, 1));
    for (let following = next(queue); following !== queue; following = next(queue)) {
      queue = following;
      heard += idsOf(queue.list.slice(0, 1));
    }
    expect(heard).toBe('deabc');
    expect(idsOf(queue.list)).toBe('c');
  });

  test('an item added by hand comes before the rest of the list, and is known as such while it plays', () => {
    const queue = next(add(started('abc'), createTrack('x')));
    expect(layout(queue)).toBe('x||bc');
    expect(queue.isQueueAudio).toBe(true);
    expect(next(queue).isQueueAudio).toBe(false);
  });

  test('passes over what this listener may not hear, and does not remember it as played', () => {
    const queue = next(addAll(started('abc'), 'xy'), (track) => track.id !== 'x' && track.id !== 'y');
    expect(layout(queue)).toBe('b||c');
    expect(idsOf(queue.played)).toBe('a');
  });

  test('stays where it is when nothing that follows may be heard', () => {
    const queue = started('abc');
    expect(next(queue, () => false)).toBe(queue);
  });

  test('remembers no more than the last hundred', () => {
    const tracks = Array.from({ length: 120 }, (_, index) => createTrack(`t${index}`));
    let queue = startAt(tracks, 0);
    for (let count = 0; count < 119; count += 1) queue = next(queue);
    expect(queue.played).toHaveLength(100);
    expect(queue.played.at(-1)?.id).toBe('t118');
  });
});

describe('previous', () => {
  test('goes back to the one played last', () => {
    const queue = previous(next(next(started('abcd'))));
    expect(idsOf(queue.list)).toBe('bcd');
    expect(idsOf(queue.played)).toBe('a');
  });

  test('when nothing was played yet, goes to the item before the chosen one in the rotated list', () => {
    const queue = previous(started('abcde', 2));
    expect(idsOf(queue.list)).toBe('bcdea');
    expect(queue.index).toBe(1);
  });

  test('before the first item of a list stands its last', () => {
    const queue = previous(started('abcd', 0));
    expect(idsOf(queue.list)).toBe('dabc');
    expect(queue.index).toBe(3);
  });

  test('goes back to an item that was added by hand, and knows it as such', () => {
    const queue = previous(next(next(add(started('abc'), createTrack('x')))));
    expect(layout(queue)).toBe('x||bc');
    expect(queue.isQueueAudio).toBe(true);
  });

  test('an item added by hand that was playing stays in front of the rest', () => {
    const queue = previous(next(addAll(started('abc'), 'xy')));
    expect(layout(queue)).toBe('a|xy|bc');
  });

  test('a list item that was playing goes back behind those added by hand', () => {
    const queue = previous(add(next(started('abc')), createTrack('x')));
    expect(layout(queue)).toBe('a|x|bc');
  });

  test('without history, never lands on an item added by hand', () => {
    const queue = addAll(started('a'), 'xy');
    expect(previous(queue)).toBe(queue);
    expect(layout(previous(add(started('abc', 1), createTrack('x'))))).toBe('a|x|bc');
  });

  test('passes over what may not be heard, in what was played and in the list', () => {
    const notB = (id: string) => (track: { id: string }) => track.id !== id;
    expect(idsOf(previous(next(next(started('abcd'))), notB('b')).list)).toBe('acd');
    const back = previous(started('abcde', 2), notB('b'));
    expect(idsOf(back.list)).toBe('abcde');
    expect(back.index).toBe(0);
  });

  test('an audio that was heard and then added again stands in the list once', () => {
    const queue = previous(add(next(started('abc')), createTrack('a')));
    expect(layout(queue)).toBe('a||bc');
  });

  test('a single item and an empty queue have nothing before them', () => {
    const queue = started('a');
    expect(previous(queue)).toBe(queue);
    expect(previous(emptyQueue)).toBe(emptyQueue);
  });

  test('is the way back of next', () => {
    const queue = add(started('abcde', 2), createTrack('x'));
    const { isIndividualQueueUpdate, ...there } = queue;
    expect(previous(previous(next(next(queue))))).toEqual({ ...there, isIndividualQueueUpdate: false });
    expect(isIndividualQueueUpdate).toBe(true);
  });
});

describe('adding', () => {
  test('puts the audio after those added by hand before it', () => {
    expect(layout(addAll(started('abc'), 'xyz'))).toBe('a|xyz|bc');
  });

  test('gives the audio the source "queue" and leaves the position alone', () => {
    const queue = add(started('abc'), createTrack('x'));
    expect(queue.list[1]?.source).toBe('queue');
    expect(queue.isIndividualQueueUpdate).toBe(true);
  });

  test('neither the current audio nor one that is in the queue is added', () => {
    const queue = started('abc');
    expect(add(queue, createTrack('a'))).toBe(queue);
    expect(add(queue, createTrack('c'))).toBe(queue);
  });

  test('to an empty queue, the audio becomes the head', () => {
    const queue = add(emptyQueue, createTrack('x'));
    expect(layout(queue)).toBe('x||');
    expect(queue.isQueueAudio).toBe(true);
    expect(queue.isIndividualQueueUpdate).toBe(false);
  });

  test('goes on after the ones left when some added by hand were played', () => {
    expect(layout(add(next(addAll(started('abc'), 'xy')), createTrack('z')))).toBe('x|yz|bc');
  });
});

describe('removing', () => {
  test('never takes out the current audio, nor one that is not there', () => {
    const queue = started('abc');
    expect(remove(queue, 'a')).toBe(queue);
    expect(remove(queue, 'z')).toBe(queue);
  });

  test('an item added by hand leaves the place of the next one right', () => {
    const queue = remove(addAll(started('abc'), 'xy'), 'x');
    expect(layout(add(queue, createTrack('z')))).toBe('a|yz|bc');
  });

  test('an item that stood before the chosen one adjusts the index, one after it does not', () => {
    expect(remove(started('abcde', 2), 'a').index).toBe(1);
    expect(remove(started('abcde', 2), 'd').index).toBe(2);
    expect(idsOf(remove(started('abcde', 2), 'a').list)).toBe('cdeb');
  });

  test('leaves the position alone', () => {
    expect(remove(started('abc'), 'b').isIndividualQueueUpdate).toBe(true);
  });
});

describe('moving', () => {
  test('sets an item down at another place', () => {
    expect(layout(move(started('abcde'), 1, 3))).toBe('a||cdbe');
    expect(layout(move(started('abcde'), 4, 1))).toBe('a||ebcd');
  });

  test('leaves the head alone, and places that do not exist', () => {
    const queue = started('abc');
    expect(move(queue, 0, 2)).toBe(queue);
    expect(move(queue, 2, 0)).toBe(queue);
    expect(move(queue, 1, 3)).toBe(queue);
    expect(move(queue, 1, 1)).toBe(queue);
  });

  test('among those added by hand an item becomes one of them, after them it is none', () => {
    const queue = addAll(started('abc'), 'xy');
    expect(layout(move(queue, 3, 2))).toBe('a|xby|c');
    expect(layout(move(queue, 3, 1))).toBe('a|bxy|c');
    expect(layout(move(queue, 1, 4))).toBe('a|y|bcx');
    expect(layout(move(queue, 1, 2))).toBe('a|yx|bc');
    expect(layout(move(queue, 4, 3))).toBe('a|xy|cb');
  });

  test('over the border of the rotated part adjusts the index', () => {
    const queue = started('abcde', 2);
    expect(move(queue, 1, 4)).toMatchObject({ index: 3 });
    expect(move(queue, 4, 1)).toMatchObject({ index: 1 });
    expect(move(queue, 1, 2)).toMatchObject({ index: 2 });
    expect(move(queue, 3, 4)).toMatchObject({ index: 2 });
  });
});

describe('playing an item further down', () => {
  test('those passed over go behind the others of the list, and the index says how many stood before it', () => {
    const queue = jump(started('abcde'), 'd');
    expect(layout(queue)).toBe('d||ebc');
    expect(queue).toMatchObject({ index: 2, isIndividualQueueUpdate: false });
    expect(idsOf(queue.played)).toBe('a');
  });

  test('those added by hand stay in front', () => {
    expect(layout(jump(addAll(started('abcd'), 'xy'), 'c'))).toBe('c|xy|db');
  });

  test('one added by hand is known as such, and those before it follow the ones after it', () => {
    const queue = jump(addAll(started('abc'), 'xyz'), 'y');
    expect(layout(queue)).toBe('y|zx|bc');
    expect(queue.isQueueAudio).toBe(true);
  });

  test('in the rotated part counts from the beginning of the list as it was shown', () => {
    expect(jump(started('abcde', 3), 'b')).toMatchObject({ index: 1 });
    expect(layout(jump(started('abcde', 3), 'b'))).toBe('b||cea');
    expect(jump(started('abcde', 3), 'a').index).toBe(0);
  });

  test('the head and what is not there change nothing', () => {
    const queue = started('abc');
    expect(jump(queue, 'a')).toBe(queue);
    expect(jump(queue, 'z')).toBe(queue);
  });
});

describe('going on after the end', () => {
  test('more audios come after the last one, each once', () => {
    const queue = extend(started('ab', 1), createTracks('bxyx'));
    expect(layout(queue)).toBe('b||axy');
    expect(queue.index).toBe(0);
  });

  test('nothing new leaves the queue as it is', () => {
    const queue = started('ab');
    expect(extend(queue, createTracks('ab'))).toBe(queue);
  });
});

describe('limits', () => {
  const many = (count: number) => Array.from({ length: count }, (_, index) => createTrack(`t${index}`));

  test('a list that is too long is cut where it would be heard last', () => {
    const queue = startAt(many(1500), 600);
    expect(queue.list).toHaveLength(QUEUE_LIMIT);
    expect(queue.list[0]?.id).toBe('t600');
    expect(queue.list.at(-1)?.id).toBe('t99');
    expect(queue.index).toBe(100);
  });

  test('a full queue takes no more', () => {
    const queue = startAt(many(QUEUE_LIMIT), 0);
    expect(add(queue, createTrack('x'))).toBe(queue);
    expect(extend(queue, [createTrack('x')])).toBe(queue);
  });
});

describe('the preview', () => {
  test('is not remembered as played, so nothing leads back to it', () => {
    const queue = next(add(startAt([createTrack('p', { source: 'preview' })], 0), createTrack('x')));
    expect(idsOf(queue.list)).toBe('x');
    expect(queue.played).toEqual([]);
  });
});

describe('clearing and replacing', () => {
  test('clearing leaves what plays, with its position', () => {
    const queue = clear(addAll(next(started('abc')), 'xy'));
    expect(layout(queue)).toBe('b||');
    expect(queue.isIndividualQueueUpdate).toBe(true);
    expect(clear(queue)).toBe(queue);
    expect(clear(emptyQueue)).toBe(emptyQueue);
  });

  test('a saved queue is taken over; the position stays when the head is the same', () => {
    const saved = { list: createTracks('axb'), listType: 'search', index: 0, individualAddToQueueIndex: 2 };
    const queue = replace(started('abc'), saved);
    expect(layout(queue)).toBe('a|x|b');
    expect(queue).toMatchObject({ listType: 'search', isIndividualQueueUpdate: true });
    expect(replace(started('zabc'), saved).isIndividualQueueUpdate).toBe(false);
  });

  test('a saved queue that does not fit is put right', () => {
    const queue = replace(emptyQueue, {
      list: createTracks('aab'),
      listType: null,
      index: 9,
      individualAddToQueueIndex: 9,
    });
    expect(queue).toMatchObject({ index: 1, individualAddToQueueIndex: 2, isIndividualQueueUpdate: false });
    expect(idsOf(queue.list)).toBe('ab');
    expect(replace(emptyQueue, { list: [], listType: null, index: -1, individualAddToQueueIndex: 4 })).toEqual(
      emptyQueue,
    );
  });

  test('a queue from elsewhere brings what was played there', () => {
    const contents = { list: createTracks('ab'), listType: null, index: 0, individualAddToQueueIndex: 1 };
    expect(idsOf(replace(started('xyz'), { ...contents, played: createTracks('yz') }).played)).toBe('yz');
  });

  test('behind what plays, a queue from elsewhere follows whole', () => {
    const elsewhere = addAll(started('bcd'), 'xy');
    const queue = replaceBehind(started('a'), elsewhere);
    expect(layout(queue)).toBe('a|bxy|cd');
    expect(queue.isIndividualQueueUpdate).toBe(true);
  });

  test('behind what plays, an audio that stands there too stands once', () => {
    expect(layout(replaceBehind(started('c'), started('bcd')))).toBe('c|b|d');
    expect(layout(replaceBehind(started('x'), addAll(started('bcd'), 'xy')))).toBe('x|by|cd');
    const rotated = replaceBehind(started('a'), started('abcd', 2));
    expect(layout(rotated)).toBe('a|c|db');
    expect(rotated.index).toBe(1);
    expect(layout(replaceBehind(started('b'), started('bcd')))).toBe('b||cd');
  });

  test('an empty queue from elsewhere leaves what plays', () => {
    expect(layout(replaceBehind(started('abc'), emptyQueue))).toBe('a||');
    expect(layout(replaceBehind(emptyQueue, started('abc')))).toBe('a||bc');
  });
});
