//! The table: what one record does to a task. Names match exactly, upper and lower case included.

use super::flow::{Flow, Status};
use super::record::{Decision, Verdict};
use super::state::WarningCode;

/// A record as the table sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Entry {
    /// A design.
    Design,
    /// Code that was changed.
    CodeChanges,
    /// A review with its verdict.
    Review(Verdict),
    /// What a review had found is mended.
    Revision,
    /// A note; `recalls` if the executor takes its work back from the reviewer with it.
    Note {
        /// Whether the executor wrote it, and does not acknowledge anything with it.
        recalls: bool,
    },
    /// A decision that counts.
    Decision(Decision),
    /// A decision that nobody vouches for.
    Proposal(Decision),
    /// Something of a type that the table does not know.
    Other,
}

/// What one record does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// The task stands here from now on.
    To(Status),
    /// Nothing changes, and that is right.
    Stay,
    /// Nothing changes, and a person should look.
    Warn(WarningCode),
}

/// What a record does to a task of this flow that stands here.
#[must_use]
#[expect(clippy::match_same_arms, reason = "it is a table: each row says what it is about")]
pub fn effect(flow: Flow, status: Status, entry: Entry) -> Effect {
    use Effect::{Stay, To, Warn};
    use Flow::{Direct, Full, Solo};
    use Status::{Approved, Closed, Designing, Implementing, PendingApproval, Reviewing, Revising};
    use WarningCode::{ClosedAbsorb, InvalidVerdict, OutOfTable};
    match (entry, status, flow) {
        (Entry::Decision(Decision::Close), ..) => To(Closed),
        (Entry::Proposal(Decision::Close), ..) => Stay,
        (Entry::Note { .. }, Closed, _) => Stay,
        (_, Closed, _) => Warn(ClosedAbsorb),

        (Entry::Design, Designing, Full | Solo) => To(Implementing),
        (Entry::Design, Implementing, Direct) => Stay,
        (Entry::Design, ..) => Warn(OutOfTable),

        (Entry::CodeChanges, Implementing, Full | Direct) => To(Reviewing),
        (Entry::CodeChanges, Implementing, Solo) => To(PendingApproval),
        (Entry::CodeChanges, ..) => Warn(OutOfTable),

        (Entry::Review(_), _, Solo) => Warn(OutOfTable),
        (Entry::Review(Verdict::Pass | Verdict::BlockedExternal), Reviewing, _) => To(PendingApproval),
        (Entry::Review(Verdict::FailCode), Reviewing, _) => To(Revising),
        (Entry::Review(Verdict::FailDesign), Reviewing, Full) => To(Designing),
        (Entry::Review(Verdict::Other), Reviewing, _) => Warn(InvalidVerdict),
        (Entry::Review(_), ..) => Warn(OutOfTable),

        (Entry::Revision, Revising, Full | Direct) => To(Reviewing),
        (Entry::Revision, Implementing, Full) => To(Reviewing),
        (Entry::Revision, ..) => Warn(OutOfTable),

        (Entry::Note { recalls: true }, Reviewing, Full | Direct) => To(Revising),
        (Entry::Note { .. }, ..) => Stay,

        (Entry::Decision(Decision::Approve), PendingApproval, _) => To(Approved),
        (Entry::Decision(Decision::Reject), PendingApproval, Full | Direct) => To(Revising),
        (Entry::Decision(Decision::Reject), PendingApproval, Solo) => To(Implementing),
        (Entry::Decision(Decision::Approve | Decision::Reject | Decision::Other), ..) => Warn(OutOfTable),

        // Whoever is asked may find another answer.
        (Entry::Proposal(Decision::Approve | Decision::Reject), ..) => Stay,
        (Entry::Proposal(Decision::Other), ..) => Warn(OutOfTable),

        (Entry::Other, ..) => Warn(OutOfTable),
    }
}
