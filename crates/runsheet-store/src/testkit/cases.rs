//! What every store must answer: transcripts, see [`script`](super::script).

/// A named transcript.
#[derive(Clone, Copy, Debug)]
pub struct Case {
    /// What it is about.
    pub name: &'static str,
    /// What is asked and answered.
    pub transcript: &'static str,
}

macro_rules! cases {
    ($($name:ident: $transcript:expr,)*) => {
        /// Every case.
        pub const CASES: &[Case] = &[$(Case { name: stringify!($name), transcript: $transcript },)*];
    };
}

cases! {
    appending_and_reading: "
append a absent h x y
  appended 0-2 @3
append a 2 z
  appended 3-3 @4
read a
  0:h 1:x 2:y 3:z, head 3
read nobody
  , no stream
head a
  3:z at 4, session/created v1, test/note v2
head nobody
  no stream
check
  []
",
    what_is_stored_comes_back: "
append a absent h x!old x2 m
  appended 0-3 @4
read a raw
  session/created v1 by testkit/1 at 1 {\"format\":1,\"agent\":{\"name\":\"testkit\"},\"source\":{\"kind\":\"import\"},\"lifecycle\":\"observed\"} | test/note v1 by testkit/1 at 2 {\"says\":\"x\"} | test/note v2 by testkit/1 at 3 {\"text\":\"x2\",\"volume\":3} | test/mark v1 by testkit/1 at 4 {}, head 3
head a
  3:m at 4, session/created v1, test/mark v1 ignorable, test/note v2
",
    the_same_batch_again_is_a_duplicate: "
append a absent h x y
  appended 0-2 @3
append a absent h x y
  duplicate of 0
append a 0 x y
  duplicate of 1
append a 7 x y
  duplicate of 1
append a 2 z
  appended 3-3 @4
append a 0 x y
  duplicate of 1
append a 0 x!reformatted y
  duplicate of 1
append a 3
  duplicate of 4
append a 9
  duplicate of 4
read a
  0:h 1:x 2:y 3:z, head 3
",
    elsewhere_is_a_conflict: "
append a 0 x
  conflict, no stream
append a absent h x
  appended 0-1 @2
append a absent h2 y
  conflict, head 1
append a 0 y
  conflict, head 1
append a 5 y
  conflict, head 1
append a 0 x y
  conflict, head 1
append b absent h2 x
  appended 0-1 @4
read a
  0:h 1:x, head 1
",
    an_id_is_never_used_twice: "
append a absent h x y
  appended 0-2 @3
append a 2 x=other
  error: `a` holds id x with other data
append a 0 x=other
  error: `a` holds id x with other data
append a 2 z x
  error: `a` holds id x with other data
append a 2 z z
  error: `a` holds id z with other data
transact a 2 y=other
  error: `a` holds id y with other data
transact a 2 z z
  error: `a` holds id z with other data
read a
  0:h 1:x 2:y, head 2
",
    events_no_stream_may_hold: "
append a absent x
  error: `a` cannot take event 0: `test/note` at 0: a stream begins with its header and has no other
append a absent h h2
  error: `a` cannot take event 1: `session/created` at 1: a stream begins with its header and has no other
append a absent h x!wrong
  error: `a` cannot take event 1: the data of `test/note` is wrong: `text` is wrong
append a absent h x!unknown
  error: `a` cannot take event 1: event type `other/thing` (written by testkit/1) is not known to this version
append a absent h x!newer
  error: `a` cannot take event 1: event type `test/note` is in version 9 (written by testkit/1), this version knows 2
append a absent h x!deep
  error: `a` cannot take event 1: the data of `test/note` is too big: levels 80, at most 64
append a absent h x!big
  error: `a` cannot take event 1: the data of `test/note` is too big: bytes 2097174, at most 1048576
read a
  , no stream
append a absent h x!skippable x2!old
  appended 0-2 @3
append a 2 h2
  error: `a` cannot take event 3: `session/created` at 3: a stream begins with its header and has no other
append a 2 x3!unknown
  error: `a` cannot take event 3: event type `other/thing` (written by testkit/1) is not known to this version
transact a 2 x3!wrong
  error: `a` cannot take event 3: the data of `test/note` is wrong: `text` is wrong
transact a 2 h3
  error: `a` cannot take event 3: `session/created` at 3: a stream begins with its header and has no other
head a
  2:x2 at 16, other/thing v2 ignorable, session/created v1, test/note v1
read a
  0:h 1:x 2:x2, head 2
",
    deciding: "
transact a - h x
  before [], appended [0:h 1:x], @2
transact a 0 y
  before [1:x], appended [2:y], @3
transact a 2
  before [], appended [], nothing
transact a - z unless:y
  before [0:h 1:x 2:y], appended [], nothing
transact a 1 z unless:w
  before [2:y], appended [3:z], @4
transact a 3 y z
  before [], appended [], nothing
transact a 3 y w
  before [], appended [4:w], @5
transact a 3 w v
  before [4:w], appended [5:v], @6
transact a 99 u
  before [], appended [6:u], @7
read a
  0:h 1:x 2:y 3:z 4:w 5:v 6:u, head 6
",
    forking: "
append a absent h x y z
  appended 0-3 @4
append b absent h2<a@2 s t1
  appended 0-4 @7
read b
  0:h2 1:x 2:y 3:s 4:t1, head 4
append b 4 w
  appended 5-5 @8
append a 3 after
  appended 4-4 @9
read b
  0:h2 1:x 2:y 3:s 4:t1 5:w, head 5
read a
  0:h 1:x 2:y 3:z 4:after, head 4
append b absent h2<a@2 s t1
  duplicate of 0
append b 5 x=other
  error: `b` holds id x with other data
append b 5 x
  duplicate of 1
append b 5 z
  appended 6-6 @10
append c absent h3<b@5 u
  appended 0-6 @12
append d absent h4<b@1 u
  appended 0-2 @14
append e absent h5<c@1 v
  appended 0-2 @16
read c
  0:h3 1:x 2:y 3:s 4:t1 5:w 6:u, head 6
read d
  0:h4 1:x 2:u, head 2
read e
  0:h5 1:x 2:v, head 2
read c from=1 to=4 limit=2
  1:x 2:y, head 6, more
read c from=2 limit=2 backward
  6:u 5:w, head 6, more
read c types=turn backward limit=1
  4:t1, head 6
head b
  6:z at 15, session/created v1, test/note v2, turn/start v1
head d
  2:u at 19, session/created v1, test/note v2
append f absent h6<a@99 u
  error: `f` cannot begin as a fork: a has no event 99
append f absent h6<nobody@0 u
  error: `f` cannot begin as a fork: session/959d9969-5625-8620-94cb-9d0fb3452cdb has no event 0
append f absent h6<a@0 u
  appended 0-1 @18
read f
  0:h6 1:u, head 1
append j absent h9<a@2
  appended 0-0 @19
read j
  0:h9 1:x 2:y, head 2
head j
  2:y at 3, session/created v1, test/note v2
append j 2 l
  appended 3-3 @20
append g absent h7<a@2 x
  error: `g` holds id x with other data
transact i - h8<a@1 k
  before [], appended [0:h8 2:k], @22
read i
  0:h8 1:x 2:k, head 2
feed 0 100
  @1 a/0:h, @2 a/1:x, @3 a/2:y, @4 a/3:z, @5 b/0:h2, @6 b/3:s, @7 b/4:t1, @8 b/5:w, @9 a/4:after, @10 b/6:z, @11 c/0:h3, @12 c/6:u, @13 d/0:h4, @14 d/2:u, @15 e/0:h5, @16 e/2:v, @17 f/0:h6, @18 f/1:u, @19 j/0:h9, @20 j/3:l, @21 i/0:h8, @22 i/2:k; next @22
check
  []
",
    selecting: "
append a absent h t1 x m1 y t2 m2 z
  appended 0-7 @8
read a from=2 to=4
  2:x 3:m1 4:y, head 7
read a from=6
  6:m2 7:z, head 7
read a from=8
  , head 7
read a to=0
  0:h, head 7
read a limit=3
  0:h 1:t1 2:x, head 7, more
read a from=3 limit=5
  3:m1 4:y 5:t2 6:m2 7:z, head 7
read a from=3 limit=4
  3:m1 4:y 5:t2 6:m2, head 7, more
read a limit=3 backward
  7:z 6:m2 5:t2, head 7, more
read a from=1 to=2 backward
  2:x 1:t1, head 7
read a types=mark
  3:m1 6:m2, head 7
read a types=mark backward limit=1
  6:m2, head 7, more
read a types=turn
  1:t1 5:t2, head 7
read a types=turn from=2
  5:t2, head 7
read a types=turn limit=1
  1:t1, head 7, more
read a types=turn backward limit=1
  5:t2, head 7, more
read a types=turn,todo backward
  5:t2 1:t1, head 7
read a types=turn,mark limit=3
  1:t1 3:m1 5:t2, head 7, more
read a types=turn,mark backward limit=3
  6:m2 5:t2 3:m1, head 7, more
read a types=unseen
  , head 7
read a types=todo
  , head 7
read a limit=0
  , head 7, more
",
    the_feed: "
append a absent h x
  appended 0-1 @2
append b absent h2 y
  appended 0-1 @4
append a 1 z
  appended 2-2 @5
append tasks/l absent h3!list w
  appended 0-1 @7
transact b 1 v
  before [], appended [2:v], @8
append a absent h x
  duplicate of 0
feed 0 100
  @1 a/0:h, @2 a/1:x, @3 b/0:h2, @4 b/1:y, @5 a/2:z, @6 tasks/l/0:h3, @7 tasks/l/1:w, @8 b/2:v; next @8
feed 0 3
  @1 a/0:h, @2 a/1:x, @3 b/0:h2; next @3, more
feed 3 3
  @4 b/1:y, @5 a/2:z, @6 tasks/l/0:h3; next @6, more
feed 6 3
  @7 tasks/l/1:w, @8 b/2:v; next @8
feed 8 3
  ; next @8
feed 9 3
  error: the cursor is of another store
feed foreign 3
  error: the cursor is of another store
streams sessions
  b head 2 from 3 to 8, a head 2 from 1 to 5
streams tasks
  tasks/l head 1 from 6 to 7
",
    projection_states: "
append a absent h x y
  appended 0-2 @3
cached a todos
  nothing
cache a todos 1 x one
  kept
cache a turns 2 y two
  kept
cached a todos
  1: one
cached a todos.2
  nothing
cached a turns
  2: two
cache a todos 2 y three
  kept
cached a todos
  2: three
cache a todos 2 x wrong-event
  kept
cached a todos
  nothing
cache a todos 9 x beyond
  kept
cached a todos
  nothing
cache nobody todos 0 x none
  kept
cached nobody todos
  nothing
append b absent h2<a@2 s
  appended 0-3 @5
cached b todos
  nothing
cache b todos 1 x inherited
  kept
cached b todos
  1: inherited
",
    aliases: "
aliased u1 c1
  unknown
alias u1 c1 a main 1
  kept
alias u1 c2 a agent:7 2
  kept
alias u2 c1 b main 3
  kept
aliased u1 c1
  a main Some(\"key\") claude a None
aliased u1 c2
  a agent:7 Some(\"key\") claude a None
aliased u2 c1
  b main Some(\"key\") claude b None
alias u1 c1 b main 4
  kept
aliased u1 c1
  b main Some(\"key\") claude b None
alias u1 c3 b main 27
  kept
aliased u1 c2
  unknown
aliased u2 c1
  b main Some(\"key\") claude b None
aliased u1 c1
  b main Some(\"key\") claude b None
",
}
