//! Bringing the parts of another document into this one.

use super::{Edit, EditError, clips::take_id};
use crate::model::{Clip, ClipId, Document, Image, ImageId, Object, ObjectId, Parent};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// Objects and clips that are added as they are, their ids new to the document.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ImportEdit {
    /// The objects, in order of id, from [`Document::next_id`] on.
    pub objects: Vec<(ObjectId, Arc<Object>)>,
    /// The clips, in order of id, above the objects'.
    pub clips: Vec<(ClipId, Arc<Clip>)>,
    /// Objects that are to play one of the clips.
    pub play: Vec<(ObjectId, ClipId)>,
    /// The images, in order of id, above the clips'.
    pub images: Vec<(ImageId, Arc<Image>)>,
    /// What stood for the nodes of the file, in its order.
    pub node_order: Vec<Parent>,
}

impl From<ImportEdit> for Edit {
    fn from(edit: ImportEdit) -> Self {
        Self::Import(edit)
    }
}

impl ImportEdit {
    pub(super) fn run(&self, document: &mut Document) -> Result<(), EditError> {
        for (id, object) in &self.objects {
            take_id(document, id.0)?;
            Arc::make_mut(&mut document.objects).insert(*id, object.clone());
        }
        for (id, clip) in &self.clips {
            take_id(document, id.0)?;
            Arc::make_mut(&mut document.clips).insert(*id, clip.clone());
        }
        for (id, image) in &self.images {
            take_id(document, id.0)?;
            Arc::make_mut(&mut document.images).insert(*id, image.clone());
        }
        if !self.node_order.is_empty() {
            Arc::make_mut(&mut document.node_order).extend(&self.node_order);
        }
        for (object, clip) in &self.play {
            document.clip(*clip).ok_or(EditError::NoClip(*clip))?;
            document.object_mut(*object).ok_or(EditError::NoObject(*object))?.clip = Some(*clip);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{FrameRange, Rig};

    #[test]
    fn an_import_adds_parts_and_changes_only_what_is_played() {
        let mut document = Document::default();
        let old = document.add_object(Object::rig("old", Rig::default()));
        let before = document.clone();
        let (object, clip) = (ObjectId(2), ClipId(3));
        let edit = Edit::from(ImportEdit {
            objects: vec![(object, Arc::new(Object::rig("new", Rig::default())))],
            clips: vec![(clip, Arc::new(Clip::new("walk", FrameRange::new(0, 9))))],
            play: vec![(object, clip)],
            ..ImportEdit::default()
        });
        edit.apply(&mut document).unwrap();
        assert_eq!(document.problems(), []);
        assert!(Arc::ptr_eq(&document.objects[&old], &before.objects[&old]));
        assert!(Arc::ptr_eq(&document.settings, &before.settings));
        assert_eq!((document.objects[&object].clip, document.next_id), (Some(clip), 4));
        // A second time the ids are taken, and nothing is changed.
        let after = document.clone();
        assert_eq!(edit.apply(&mut document), Err(EditError::IdInUse(2)));
        assert_eq!(document, after);
        let play = Edit::from(ImportEdit { play: vec![(old, ClipId(9))], ..ImportEdit::default() });
        assert_eq!(play.apply(&mut document), Err(EditError::NoClip(ClipId(9))));
    }
}
